import type { Static } from 'typebox'
import type { VersionBody } from '../../src/api-versions/schemas.ts'

export type Body = Static<typeof VersionBody>

interface Facts {
  id: string
  apiId: string
  apiName: string
  now: string
}

// The XML reader leaves text as it is.
const truth = (value: unknown) => value === true || value === 'true'

/** Writes out the document that the service would store for the body. */
export function complete(body: Body, { id, apiId, apiName, now }: Facts): object {
  const word = apiName.replace(/\W/g, '_')
  const InterfaceQName = `{${word}_${body.Name.replace(/\W/g, '_')}}${word}_PortType_0`
  const operations = (given: Body['Operations']) => ({
    Operation: (given?.Operation ?? []).map((operation) => ({
      Name: operation.Name,
      Method: operation.Method,
      Path: operation.Path,
      Input: operation.Input ?? [],
      InputContentType: operation.InputContentType,
      OutputContentType: operation.OutputContentType,
      FaultContentType: operation.FaultContentType,
      InterfaceQName,
      WsdlOperationName: operation.Name,
    })),
  })
  const endpoints = (given: Body['Endpoints']) => ({
    Endpoint: (given?.Endpoint ?? []).map((endpoint) => ({
      Uri: endpoint.Uri,
      Category: endpoint.Category,
      CName: endpoint.CName,
      DeploymentZoneRule: endpoint.DeploymentZoneRule,
      ConnectionProperties: endpoint.ConnectionProperties ?? [],
    })),
  })
  return {
    APIVersionID: `${id}.platform`,
    APIID: `${apiId}.platform`,
    Name: body.Name,
    Description: body.Description,
    Type: body.Type,
    DefaultProfile: body.DefaultProfile,
    Tag: body.Tag,
    ProductionEndpoint: body.ProductionEndpoint,
    SandboxEndpoint: body.SandboxEndpoint,
    Operations: operations(body.Operations),
    Endpoints: endpoints(body.Endpoints),
    TargetAPI: {
      Type: body.TargetAPI?.Type,
      DefaultProfile: body.TargetAPI?.DefaultProfile,
      Endpoints: endpoints(body.TargetAPI?.Endpoints),
      Operations: operations(body.TargetAPI?.Operations),
      Policies: body.TargetAPI?.Policies,
    },
    Policies: body.Policies,
    Visibility: body.Visibility,
    State: body.State,
    Created: now,
    Updated: now,
    ProductionEndpointAccessAutoApproved: truth(body.ProductionEndpointAccessAutoApproved),
    SandboxEndpointAccessAutoApproved: truth(body.SandboxEndpointAccessAutoApproved),
    SandboxAnonymousAccessAllowed: truth(body.SandboxAnonymousAccessAllowed),
    ProductionAnonymousAccessAllowed: truth(body.ProductionAnonymousAccessAllowed),
    ResourceLevelPermissionsSupported: truth(body.ResourceLevelPermissionsSupported),
    RatingSummary: { Five: 0, Four: 0, Three: 0, Two: 0, One: 0 },
  }
}

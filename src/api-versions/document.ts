import type { Static } from 'typebox'
import { wireId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import { type RatingCounts, ratingSummaryOf } from './ratings.ts'
import type { VersionBody, VersionDocument } from './schemas.ts'

type Body = Static<typeof VersionBody>

/** What the service itself says of a version. */
export interface VersionFacts {
  id: string
  apiId: string
  apiName: string
  /** On the wire. */
  visibility: string
  state: string
  created: Date
  updated: Date
  ratings: RatingCounts
}

/** Completes a request's version to the one that clients read; absent lists are empty, absent booleans false. */
export function versionDocument(body: Body, facts: VersionFacts, vendor: Vendor): VersionDocument {
  const interfaceQName = interfaceName(facts.apiName, body.Name)
  const target = body.TargetAPI
  return {
    APIVersionID: wireId(vendor, facts.id),
    APIID: wireId(vendor, facts.apiId),
    Name: body.Name,
    Description: body.Description,
    Type: body.Type,
    DefaultProfile: body.DefaultProfile,
    Tag: body.Tag ?? [],
    ProductionEndpoint: body.ProductionEndpoint,
    SandboxEndpoint: body.SandboxEndpoint,
    Operations: operations(body.Operations, interfaceQName),
    Endpoints: endpoints(body.Endpoints),
    TargetAPI: target && {
      Type: target.Type,
      DefaultProfile: target.DefaultProfile,
      Endpoints: endpoints(target.Endpoints),
      Operations: operations(target.Operations, interfaceQName),
      Policies: { Policy: target.Policies?.Policy ?? [] },
    },
    Policies: { Policy: body.Policies?.Policy ?? [] },
    Visibility: facts.visibility,
    State: facts.state,
    Created: facts.created.toISOString(),
    Updated: facts.updated.toISOString(),
    ProductionEndpointAccessAutoApproved: body.ProductionEndpointAccessAutoApproved ?? false,
    SandboxEndpointAccessAutoApproved: body.SandboxEndpointAccessAutoApproved ?? false,
    SandboxAnonymousAccessAllowed: body.SandboxAnonymousAccessAllowed ?? false,
    ProductionAnonymousAccessAllowed: body.ProductionAnonymousAccessAllowed ?? false,
    ResourceLevelPermissionsSupported: body.ResourceLevelPermissionsSupported ?? false,
    // The database writes it anew when somebody rates, and finds it by its being last.
    RatingSummary: ratingSummaryOf(facts.ratings),
  }
}

/** `{<name>_<version>}<name>_PortType_0`, with `_` for whatever is not a letter, digit or `_`. */
function interfaceName(apiName: string, versionName: string): string {
  const word = (text: string) => text.replace(/[^\p{L}\p{Nd}_]/gu, '_')
  return `{${word(apiName)}_${word(versionName)}}${word(apiName)}_PortType_0`
}

function operations(given: Body['Operations'], interfaceQName: string): VersionDocument['Operations'] {
  return {
    Operation: (given?.Operation ?? []).map((operation) => ({
      Name: operation.Name,
      Method: operation.Method,
      Path: operation.Path,
      Input: operation.Input ?? [],
      InputContentType: operation.InputContentType,
      OutputContentType: operation.OutputContentType,
      FaultContentType: operation.FaultContentType,
      InterfaceQName: interfaceQName,
      WsdlOperationName: operation.Name,
    })),
  }
}

function endpoints(given: Body['Endpoints']): VersionDocument['Endpoints'] {
  return {
    Endpoint: (given?.Endpoint ?? []).map((endpoint) => ({
      ...endpoint,
      ConnectionProperties: endpoint.ConnectionProperties ?? [],
    })),
  }
}

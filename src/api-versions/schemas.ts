import { type Static, type TProperties, Type } from 'typebox'
import { about, HttpUrl, readOnly, Text } from '../representation/formats.ts'
import type { Written } from '../representation/json-write.ts'

export const RatingSummary = Type.Object(
  {
    Five: Type.Integer(),
    Four: Type.Integer(),
    Three: Type.Integer(),
    Two: Type.Integer(),
    One: Type.Integer(),
  },
  { title: 'RatingSummary' },
)

const id = Text(200)
const time = Type.String({ format: 'date-time', maxLength: 40 })
const list = <T extends TProperties>(members: T, maxItems: number) => Type.Array(Type.Object(members), { maxItems })
const optional = Type.Optional

export const Tags = Type.Array(Text(255, 1), { maxItems: 100 })
export const ratingSummary = readOnly(RatingSummary)
export const readOnlyId = readOnly(id)
export const readOnlyTime = readOnly(time)

const inputs = list({ Name: Text(255), Type: optional(Text(100)) }, 1000)
const connectionProperties = list({ Name: Text(255), Value: optional(Text(2048)) }, 200)
const policies = list({ PolicyKey: Text(255, 1), PolicyType: optional(Text(255)) }, 200)

const operationMembers = {
  Name: Text(255, 1),
  Method: optional(Type.String({ pattern: '^[A-Za-z][A-Za-z-]{0,31}$' })),
  Path: optional(Type.String({ format: 'text', pattern: '^/', maxLength: 2048 })),
}
const contentTypes = {
  InputContentType: optional(about('Media types, separated by commas.', Text(8192))),
  OutputContentType: optional(about('Media types, separated by commas.', Text(8192))),
  FaultContentType: optional(about('Media types, separated by commas.', Text(8192))),
}
const endpointMembers = {
  Uri: HttpUrl(),
  Category: optional(Text(100)),
  CName: optional(Text(255)),
  DeploymentZoneRule: optional(Text(255)),
}

const operationsTaken = Type.Object(
  {
    Operation: optional(
      list(
        {
          ...operationMembers,
          Input: optional(inputs),
          ...contentTypes,
          InterfaceQName: readOnlyId,
          WsdlOperationName: readOnlyId,
        },
        5000,
      ),
    ),
  },
  { title: 'OperationsBody' },
)
const endpointsTaken = Type.Object(
  {
    Endpoint: optional(list({ ...endpointMembers, ConnectionProperties: optional(connectionProperties) }, 200)),
  },
  { title: 'EndpointsBody' },
)
const policiesTaken = Type.Object({ Policy: optional(policies) }, { title: 'PoliciesBody' })

const operations = Type.Object(
  {
    Operation: list(
      {
        ...operationMembers,
        Input: inputs,
        ...contentTypes,
        InterfaceQName: Type.String(),
        WsdlOperationName: Type.String(),
      },
      5000,
    ),
  },
  { title: 'Operations' },
)
export const endpoints = Type.Object(
  {
    Endpoint: list({ ...endpointMembers, ConnectionProperties: connectionProperties }, 200),
  },
  { title: 'Endpoints' },
)
const policiesGiven = Type.Object({ Policy: policies }, { title: 'Policies' })

const kind = { Type: optional(Text(100)), DefaultProfile: optional(Text(255)) }
const versionText = { Name: Text(255, 1), Description: optional(Text(65_536)) }
const publishedEndpoints = {
  ProductionEndpoint: optional(Type.Union([HttpUrl(), Type.Null()])),
  SandboxEndpoint: optional(HttpUrl()),
}
const booleans = <T>(each: T) => ({
  ProductionEndpointAccessAutoApproved: each,
  SandboxEndpointAccessAutoApproved: each,
  SandboxAnonymousAccessAllowed: each,
  ProductionAnonymousAccessAllowed: each,
  ResourceLevelPermissionsSupported: each,
})

const targetTaken = Type.Object(
  {
    ...kind,
    Endpoints: optional(endpointsTaken),
    Operations: optional(operationsTaken),
    Policies: optional(policiesTaken),
  },
  { title: 'TargetAPIBody' },
)

/** The members of a version that a request may carry. */
const versionMembersTaken = {
  APIVersionID: readOnlyId,
  APIID: readOnlyId,
  ...versionText,
  ...kind,
  Tag: optional(Tags),
  ...publishedEndpoints,
  Operations: optional(operationsTaken),
  Endpoints: optional(endpointsTaken),
  TargetAPI: optional(targetTaken),
  Policies: optional(policiesTaken),
  Visibility: optional(about('Who may read the version; without it that of its API.', Text(255))),
  State: optional(about('Without it the one in which versions begin; later only actions change it.', Text(255))),
  Created: readOnlyTime,
  Updated: readOnlyTime,
  ...booleans(optional(Type.Boolean())),
  RatingSummary: ratingSummary,
}

/** A version as a request carries it: what the service assigns may stand in it and is ignored. */
export const VersionBody = Type.Object(versionMembersTaken, { title: 'APIVersionBody', xml: { name: 'APIVersion' } })

/** A change of a version: any of its members; APIVersionID says which version is meant. */
export const VersionChange = Type.Object(
  { ...versionMembersTaken, APIVersionID: optional(id), Name: optional(versionText.Name) },
  { title: 'APIVersionChange', xml: { name: 'APIVersion' } },
)

/** A version as answers carry it, complete; its members stand in this order in every representation. */
export const APIVersion = Type.Object(
  {
    APIVersionID: Type.String(),
    APIID: Type.String(),
    ...versionText,
    ...kind,
    Tag: Tags,
    ...publishedEndpoints,
    Operations: operations,
    Endpoints: endpoints,
    TargetAPI: optional(
      Type.Object(
        { ...kind, Endpoints: endpoints, Operations: operations, Policies: policiesGiven },
        { title: 'TargetAPI' },
      ),
    ),
    Policies: policiesGiven,
    Visibility: Type.String(),
    State: Type.String(),
    Created: time,
    Updated: time,
    ...booleans(Type.Boolean()),
    RatingSummary,
  },
  { title: 'APIVersion' },
)

/** A version as it is stored. */
export type VersionDocument = Written<Static<typeof APIVersion>>

/** A version as it is read, perhaps without some of its members. */
export const ReadAPIVersion = Type.Object(
  { ...APIVersion.properties, Operations: optional(operations), Endpoints: optional(endpoints) },
  { title: 'ReadAPIVersion', xml: { name: 'APIVersion' } },
)

import fc from 'fast-check'
import type { Answer, Client } from './client.ts'
import { exampleApi } from './examples.ts'

let names = 0

/** A name that no other version has. */
export function newName(): string {
  return `version ${++names}`
}

/** An API to add versions to, and what tells whether anything was added. */
export async function apiOf(admin: Client): Promise<{ path: string; versions: string; latest: () => Promise<string> }> {
  const added = await admin.post('/api/apis', exampleApi())
  if (added.status !== 200) throw new Error(`could not add an API: ${added.text}`)
  const path = `/api/apis/${added.json.APIID}`
  return { path, versions: `${path}/versions`, latest: async () => (await admin.get(path)).json.LatestVersionID }
}

/** Reads a version just added, in the representation asked for. */
export function readBack(client: Client, added: Answer, accept = 'application/json'): Promise<Answer> {
  if (added.status !== 200) throw new Error(`could not add a version: ${added.text}`)
  return client.get(`/api/apis/versions/${added.json.APIVersionID}`, { accept })
}

const traps = ['', ' ', '  lead', 'trail \t', '\r', '\r\n', '\n', '\t', '007', '1.10', 'true', 'null', '<', '&', '&lt;']
const moreTraps = [
  ']]>',
  '<![CDATA[',
  '<!--',
  '&#65;',
  '"',
  "'",
  '😀',
  '\u{10ffff}',
  '\u0085',
  '\u2028',
  '\ufeff',
  'é',
  '\u007f',
]
const notXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** Text that is hard to carry, of 60 characters at most. */
export const hardText = fc.oneof(
  fc.constantFrom(...traps, ...moreTraps),
  fc.array(fc.constantFrom(...traps, ...moreTraps), { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replace(notXml, '')),
)

const url = fc
  .tuple(fc.constantFrom('http', 'HTTPS'), fc.domain(), fc.webPath(), fc.constantFrom('', '?a=1&b=<2>', '#]]>', '/é😀'))
  .map(([scheme, host, path, end]) => `${scheme}://${host}${path}${end}`)
const some = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 })
const type = hardText

const operation = fc.record(
  {
    Name: hardText.map((text) => `${text}.`),
    Method: fc.constantFrom('GET', 'DELETE', 'X-Odd'),
    Path: hardText.map((text) => `/${text}`),
    Input: some(fc.record({ Name: hardText, Type: type }, { requiredKeys: ['Name'] })),
    InputContentType: hardText,
    OutputContentType: hardText,
    FaultContentType: hardText,
  },
  { requiredKeys: ['Name'] },
)
const endpoint = fc.record(
  {
    Uri: url,
    Category: hardText,
    CName: hardText,
    DeploymentZoneRule: hardText,
    ConnectionProperties: some(fc.record({ Name: hardText, Value: hardText }, { requiredKeys: ['Name'] })),
  },
  { requiredKeys: ['Uri'] },
)
const policy = fc.record(
  { PolicyKey: hardText.map((text) => `${text}.`), PolicyType: hardText },
  { requiredKeys: ['PolicyKey'] },
)
const kind = { Type: type, DefaultProfile: hardText }
const parts = {
  Endpoints: fc.record({ Endpoint: some(endpoint) }, { requiredKeys: [] }),
  Operations: fc.record({ Operation: some(operation) }, { requiredKeys: [] }),
  Policies: fc.record({ Policy: some(policy) }, { requiredKeys: [] }),
}

/** Any version that a request may carry, but for its Name, which has to be new. */
export const anyVersion = fc.record(
  {
    ...kind,
    ...parts,
    Description: hardText,
    Tag: some(hardText.map((text) => `${text}.`)),
    ProductionEndpoint: fc.option(url),
    SandboxEndpoint: url,
    TargetAPI: fc.record({ ...kind, ...parts }, { requiredKeys: [] }),
    Visibility: fc.constantFrom('Public', 'Limited', 'com.platform.visibility.registered.users'),
    State: fc.constant('com.platform.api.state.open'),
    ProductionEndpointAccessAutoApproved: fc.boolean(),
    SandboxEndpointAccessAutoApproved: fc.boolean(),
    SandboxAnonymousAccessAllowed: fc.boolean(),
    ProductionAnonymousAccessAllowed: fc.boolean(),
    ResourceLevelPermissionsSupported: fc.boolean(),
  },
  { requiredKeys: [] },
)

import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { exampleApi, exampleApiXml, exampleVersion, exampleVersionXml } from './examples.ts'

export interface OddRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Buffer | undefined
}

/** Every path that the service has an operation at, such as /api/apis/:APIID. */
export function pathsOf(app: FastifyInstance): string[] {
  const above: string[] = []
  // Each line of the tree adds to the one above it; every path has OPTIONS.
  const found = app
    .printRoutes({ method: 'OPTIONS' })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part, methods] = /^([│├└─\s]*)([^│├└─\s]\S*)(?: (\(.*))?$/.exec(line) ?? []
      const depth = indent.length / 4 - 1
      if (part === undefined) return []
      above.splice(depth, above.length, (above[depth - 1] ?? '') + part)
      return methods ? [above[depth] as string] : []
    })
  return [...new Set(found)]
}

const oddities = [
  '',
  ' ',
  '\0',
  '\u0001',
  '\ud800',
  '\uffff',
  '😀',
  '__proto__',
  'constructor',
  "'; select 1 --",
  '../../x',
]
const moreOddities = [
  '%00',
  '<a>',
  ']]>',
  '&',
  'x'.repeat(300),
  'x'.repeat(70_000),
  'http://[::1',
  '{path:.+|}',
  'SiteAdmin',
  '1.0',
]
const oddText = fc.oneof(fc.constantFrom(...oddities, ...moreOddities), fc.string({ unit: 'binary', maxLength: 20 }))
const oddValue = fc.oneof(
  oddText,
  fc.constantFrom(null, true, -1, 1.5, 1e308, 2 ** 53, [], {}, [[]], [null], { Operation: null }, { a: { b: {} } }),
  fc.jsonValue({ maxDepth: 2 }),
)

/** The value with one place in it, chosen by the numbers, replaced, removed or joined by a member. */
function changed(value: unknown, places: number[], odd: unknown, key: string): unknown {
  const [place, ...further] = places
  if (typeof value !== 'object' || value === null || place === undefined) return odd
  const entries = Object.entries(value)
  const entry = entries[place % (entries.length + 2)]
  if (!entry) return Array.isArray(value) ? [...value, odd] : { ...value, [key]: odd }
  const inner = changed(entry[1], further, odd, key)
  if (Array.isArray(value)) return value.with(place % (entries.length + 2), inner)
  return Object.fromEntries(entries.map(([name, old]) => [name, name === entry[0] ? inner : old]))
}

const snippets = [
  '<',
  '>',
  '&',
  '"',
  '{',
  '[',
  ']',
  ',',
  '\0',
  '&#0;',
  '<![CDATA[',
  '<!DOCTYPE a>',
  '<Tag/>',
  '\\u0000',
  '\\ud800',
]
const snippet = fc.oneof(fc.constantFrom(...snippets), oddText)
/** The text with some of it, from a share of its length on, replaced. */
const cut = (text: string, share: number, length: number, put: string) => {
  const start = Math.floor(text.length * share)
  return text.slice(0, start) + put + text.slice(start + length)
}

const newer = {
  APIVersionInfo: { Name: '2.0', Description: 'd', Visibility: 'Public' },
  CloneAPIVersionRequest: { SourceAPIVersionID: 'none.platform', CloneDesign: true },
  DLDescriptor: { ServiceDescriptorReference: { ServiceName: 's', DropboxFileId: 1 } },
}
const document = fc.constantFrom<unknown[]>(
  exampleApi(),
  exampleVersion(),
  { ...exampleApi(), APIVersion: exampleVersion() },
  newer,
  { APIVersionInfo: newer.APIVersionInfo },
  { APIInfo: newer.APIVersionInfo, ...newer },
  { Email: 'someone@example.com', Password: 'a long password', Role: ['BusinessAdmin'] },
  { UserID: 'none.platform' },
  { email: 'admin@localhost', password: 'wrong' },
)
const xml = [exampleApiXml(), exampleVersionXml()]
const places = fc.array(fc.nat(30), { minLength: 1, maxLength: 7 })
const share = fc.double({ min: 0, max: 1, noNaN: true })

const jsonBody = fc.oneof(
  document.map((value) => JSON.stringify(value)),
  fc.tuple(document, places, oddValue, oddText).map((parts) => JSON.stringify(changed(...parts))),
  fc.tuple(document, share, fc.nat(30), snippet).map(([value, ...parts]) => cut(JSON.stringify(value), ...parts)),
  fc.json(),
)
const xmlBody = fc.oneof(
  fc.constantFrom(...xml),
  fc.tuple(fc.constantFrom(...xml), share, fc.nat(30), snippet).map((parts) => cut(...parts)),
)
const anyBody = fc.oneof(
  fc.constant(undefined),
  jsonBody,
  xmlBody,
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
)

const word = fc.constantFrom(
  'json',
  'xml',
  'problem+json',
  'problem+xml',
  'vnd.platform.v80+json',
  'vnd.platform.v81+json',
  'vnd.platform.v72+xml',
)
const jsonType = fc.constantFrom('application/json', 'application/json', 'application/vnd.platform.v81+json')
const mediaType = fc.oneof(
  word.map((name) => `application/${name}`),
  fc.constantFrom('*/*', 'text/xml', 'text/html', 'a', ','),
)
const otherHeaders = fc.record(
  {
    accept: mediaType,
    'content-type': mediaType,
    'content-encoding': fc.constantFrom('gzip', 'identity'),
    'if-match': fc.constantFrom('*', '"1"', 'W/"x"', 'none'),
    'if-none-match': fc.constantFrom('*', '"1"', 'W/"x"', 'none'),
    'sec-fetch-site': fc.constantFrom('cross-site', 'none'),
    origin: fc.constantFrom('https://evil.test', 'null'),
    host: fc.constantFrom('a.b', '[::1]:80', ''),
    'x-forwarded-for': fc.constantFrom('1.2.3.4', 'é', ','),
    'accept-language': fc.constantFrom('de', '*', ','),
    range: fc.constant('bytes=0-1'),
  },
  { requiredKeys: [] },
)

const names = [
  'includeDefaultVersion',
  'CACHE',
  'all',
  'IncludeDisabled',
  'locale',
  'APIName',
  'name',
  'start',
  'count',
  'cursor',
  'sort',
  '__proto__',
  'q',
]
const queryValue = fc.oneof(
  fc.constantFrom('true', 'maybe', '-1', '99999999999999999999', '%zz', '%00', '%ff', 'de-AT'),
  oddText.map(encoded),
)
const query = fc
  .array(fc.tuple(fc.constantFrom(...names), queryValue), { maxLength: 3 })
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.join('=')).join('&')}`))

function encoded(text: string): string {
  return encodeURIComponent(text.slice(0, 2000).replace(/\p{Cs}/gu, ''))
}

/** Requests of every kind to these operations; `ids` are those of things that exist, by parameter name. */
export function oddRequest(
  operations: { path: string; methods: string[] }[],
  ids: Record<string, string[]>,
): fc.Arbitrary<OddRequest> {
  const segment = fc.oneof(
    { weight: 6, arbitrary: fc.nat() },
    fc.constantFrom(...Object.values(ids).flat()),
    oddText.map(encoded),
    fc.constantFrom('%zz', '%c3%28', '%2e%2e', 'a'.repeat(5000)),
  )
  const anyMethod = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE')
  return fc
    .record({
      operation: fc.constantFrom(...operations),
      method: fc.oneof({ weight: 9, arbitrary: fc.nat() }, anyMethod),
      segments: fc.array(segment, { minLength: 4, maxLength: 4 }),
      query,
      content: fc.oneof(
        { weight: 3, arbitrary: fc.record({ body: jsonBody, type: jsonType }) },
        { weight: 2, arbitrary: fc.record({ body: xmlBody, type: fc.constant('application/xml') }) },
        fc.record({ body: anyBody, type: fc.constantFrom('application/x-www-form-urlencoded', 'application/json') }),
      ),
      more: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, otherHeaders),
    })
    .map(({ operation, method, segments, query, content, more }) => {
      const left = [...segments]
      const path = operation.path.replace(/:(\w+)|\*/g, (_all, name) => {
        const [next] = left.splice(0, 1)
        const fitting = ids[name] ?? ['none']
        return typeof next === 'number' ? (fitting[next % fitting.length] as string) : (next ?? '')
      })
      const { methods } = operation
      const chosen = typeof method === 'string' ? method : (methods[method % methods.length] as string)
      const bare = chosen === 'GET' || chosen === 'HEAD' || chosen === 'TRACE'
      const headers = bare ? more : { 'content-type': content.type, ...more }
      return { method: chosen, path: path + query, headers, body: bare ? undefined : content.body }
    })
}

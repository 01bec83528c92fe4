import fc from 'fast-check'
import { XMLValidator } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { jsonAndXml, mediaTypesOf } from '../../src/representation/media-types.ts'
import { negotiate } from '../../src/representation/negotiate.ts'
import { vendorNames } from '../../src/vendor.ts'
import type { Answer } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { apiOf, newName } from '../support/version-body.ts'

const service = await startService()
const admin = await service.siteAdmin()
const api = await apiOf(admin)
const version = `/api/apis/versions/${await api.latest()}`
const me = (await admin.get('/api/login/status')).json.userFDN

const vendor = (word: string, format: string, tree = 'vnd.platform') => `application/${tree}.${word}+${format}`
const plain = ['application/json', 'application/xml', 'text/xml']
const upToV80 = [...plain, ...['v71', 'v72', 'v80'].flatMap((word) => [vendor(word, 'json'), vendor(word, 'xml')])]
const v81 = [vendor('v81', 'json'), vendor('v81', 'xml')]
const upToV81 = [...upToV80, ...v81]
const onlyJson = upToV81.filter((name) => name.endsWith('json'))
const strangers = [...upToV81, vendor('v70', 'json'), vendor('v80', 'json', 'vnd.other'), 'text/html', 'text/json']

function expectWritten(answer: Answer, mediaType: string): void {
  expect(answer.headers['content-type']).toBe(`${mediaType}; charset=utf-8`)
  expect(answer.headers.vary?.split(', ')).toContain('Accept')
  if (mediaType.endsWith('xml')) expect(XMLValidator.validate(answer.text)).toBe(true)
  else expect(answer.json).toBeTypeOf('object')
}

describe.each([
  { operation: 'Read an API version', method: 'GET', path: version, types: upToV81 },
  { operation: 'List login domains', method: 'GET', path: '/api/login/domains', types: onlyJson },
  { operation: 'User login domain', method: 'GET', path: `/api/users/${me}/logindomain`, types: upToV81 },
  { operation: 'Update API', method: 'PUT', path: api.path, types: upToV80 },
  // Accept v81 asks for the newer operation there.
  { operation: 'Add API version', method: 'POST', path: api.versions, types: upToV80, elsewhere: v81 },
])('$operation', ({ method, path, types, elsewhere = [] }) => {
  const body = () => (method === 'POST' ? { Name: newName() } : { Description: newName() })
  const ask = (accept: string) =>
    admin.send(method, path, { headers: { accept }, ...(method !== 'GET' && { body: body() }) })

  test.each(types)('answers %s with that Content-Type, vendor version included', async (accept) => {
    const answer = await ask(accept)
    expect(answer.status).toBe(200)
    expectWritten(answer, accept)
  })

  test.each(strangers.filter((name) => ![...types, ...elsewhere].includes(name)))(
    'an Accept of %s: 406',
    async (accept) => {
      const answer = await ask(accept)
      expect(answer.status).toBe(406)
      expect(answer.headers.vary?.split(', ')).toContain('Accept')
      for (const name of types) expect(answer.text).toContain(name)
    },
  )
})

test.each<[string | undefined, string]>([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['text/*', 'text/xml'],
  ['application/*, text/xml', 'text/xml'],
  ['application/xml, application/json', 'application/xml'],
  ['application/json, application/xml', 'application/json'],
  ['application/json;q=0.5, application/xml;q=0.9', 'application/xml'],
  ['application/xml;q=0.9, application/json', 'application/json'],
  ['application/xml ; Q=0.9 , application/json ; q=0.8', 'application/xml'],
  ['application/xml;q=0.001, text/html', 'application/xml'],
  ['application/xml;q=0.2, application/json;q=0.5, application/xml', 'application/xml'],
  ['application/json;profile=x;q=0, application/json, application/xml;q=0.5', 'application/json'],
  ['*/*;q=0.9, application/vnd.platform.v72+xml;q=0.9', 'application/vnd.platform.v72+xml'],
  ['application/*, */*, text/xml;q=0.9', 'application/json'],
  ['application/json;q=0.1, application/*', 'application/vnd.platform.v71+json'],
  ['application/json;q=0, */*', 'application/vnd.platform.v71+json'],
  ['*/*;q=0, application/vnd.platform.v80+json', 'application/vnd.platform.v80+json'],
  ['application/json; charset=utf-8', 'application/json'],
  ['application/xml;charset="utf-8";q=0.9, application/json;q=0.1', 'application/xml'],
  ['application/vnd.platform.v81+json, text/javascript, */*; q=0.01', 'application/vnd.platform.v81+json'],
  ['text/javascript, */*; q=0.01', 'application/json'],
  ['text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8', 'application/xml'],
  ['APPLICATION/VND.Platform.V80+XML', 'application/vnd.platform.v80+xml'],
  ['nonsense, /, application/, */json, a/b/c, application/xml', 'application/xml'],
  [', ,application/xml,', 'application/xml'],
  ['application/json;q=2, application/xml;q=0.1', 'application/xml'],
  ['application/json;q=much, application/xml;q=0.1', 'application/xml'],
])('Accept: %s is answered as %s', async (accept, mediaType) => {
  const answer = await admin.get(version, accept === undefined ? {} : { accept })
  expect(answer.status).toBe(200)
  expectWritten(answer, mediaType)
})

test('several Accept lines are one list', async () => {
  expectWritten(await admin.get(version, { accept: ['text/html', 'application/xml'] }), 'application/xml')
})

test.each(['text/html', 'application/json;q=0', '*/*;q=0', 'nonsense', 'application/vnd.platform.v99+json, image/*'])(
  'Accept: %s cannot be served: 406',
  async (accept) => {
    const answer = await admin.get(version, { accept })
    expect([answer.status, answer.json.faultcode]).toEqual([406, 'NotAcceptable'])
  },
)

test.each<[string | undefined, string]>([
  [undefined, 'application/json'],
  ['application/vnd.platform.v72+xml', 'application/vnd.platform.v72+xml'],
  ['text/xml', 'text/xml'],
  ['application/problem+json', 'application/problem+json'],
  ['application/problem+xml', 'application/problem+xml'],
  ['Application/Problem+XML', 'application/problem+xml'],
  ['application/problem+xml, application/json;q=0.9', 'application/problem+xml'],
  ['application/json, application/problem+json;q=0.9', 'application/json'],
  ['application/json, application/problem+json', 'application/problem+json'],
  ['application/xml, application/problem+json', 'application/problem+json'],
  ['application/json, application/problem+json;q=0, */*;q=0.1', 'application/json'],
  ['image/png', 'application/json'],
])('faults are written in the same representation: Accept %s, %s', async (accept, mediaType) => {
  const headers = accept === undefined ? {} : { accept }
  for (const path of ['/api/apis/versions/none', '/api/none', '/api/login/status', '/api/login']) {
    const answer = await service.client().get(path, headers)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expectWritten(answer, mediaType)
  }
})

test.each([
  ['application/problem+json', 'application/json'],
  ['application/problem+xml', 'application/xml'],
])('who lists %s alone sees the fault that there is, and else %s', async (accept, mediaType) => {
  const signedOut = await service.client().get(`/api/users/${me}/logindomain`, { accept })
  expect(signedOut.status).toBe(401)
  expect((await admin.get('/api/apis/versions/none', { accept })).status).toBe(404)
  const answer = await admin.get(version, { accept })
  expect(answer.status).toBe(200)
  expectWritten(answer, mediaType)
})

test('a fault of an operation is written as its answer would have been', async () => {
  const accept = 'application/xml, application/json;q=0.5'
  const answer = await admin.get('/api/login/domains?cache=perhaps', { accept })
  expect(answer.status).toBe(400)
  expectWritten(answer, 'application/json')
})

/** RFC 9110, 12.5.1, once more: everything that matches in a list, sorted. */
function chosenByTheBook(accept: string, offered: string[]): string | undefined {
  const ranges = accept.split(',').map((text, order) => {
    const [range = '', ...parameters] = text.toLowerCase().replaceAll(/\s/g, '').split(';')
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { range, q: Number(weight ?? 1), order }
  })
  const narrowness = (range: string, name: string) => [name, `${name.split('/')[0]}/*`, '*/*'].indexOf(range)
  const candidates = offered.flatMap((name, place) => {
    const matches = ranges
      .map(({ range, q, order }) => ({ name, place, wide: narrowness(range, name), q, order }))
      .filter(({ wide }) => wide >= 0)
      .sort((a, b) => a.wide - b.wide || b.q - a.q || a.order - b.order)
    return matches.slice(0, 1).filter(({ q }) => q > 0)
  })
  return candidates.sort((a, b) => b.q - a.q || a.wide - b.wide || a.order - b.order || a.place - b.place)[0]?.name
}

test('the highest q, the most specific, then the first listed is chosen', () => {
  const offered = mediaTypesOf(jsonAndXml, vendorNames(readConfig({})))
  const names = fc.constantFrom(...upToV81, '*/*', '*/*', 'application/*', 'text/*', 'image/*', 'image/png', 'Text/XML')
  const parameter = fc.constantFrom(
    '',
    '',
    ';q=0',
    ';q=0.5',
    '; q=0.50',
    ' ;Q=1',
    ';q=0.001',
    ';charset=utf-8;q=0.7',
    ';a=b',
  )
  const header = fc.array(
    fc.tuple(names, parameter).map((parts) => parts.join('')),
    { minLength: 1, maxLength: 6 },
  )
  fc.assert(
    fc.property(header, fc.constantFrom(',', ', ', ' , '), (ranges, comma) => {
      const accept = ranges.join(comma)
      expect(negotiate(accept, offered)?.name).toBe(
        chosenByTheBook(
          accept,
          offered.map(({ name }) => name),
        ),
      )
    }),
    { numRuns: 3000 },
  )
})

const asXml = () => `<APIVersion><Name>${newName()}</Name></APIVersion>`
const asJson = () => JSON.stringify({ Name: newName() })

test.each([
  ...upToV80,
  'application/json; charset=UTF-8',
  'application/json;charset="utf-8"',
  'Application/JSON',
  'application/xml; charset=utf-8',
  'application/vnd.platform.v80+xml;charset=utf-8',
])('a request of Content-Type %s is taken', async (contentType) => {
  const body = /xml/.test(contentType) ? asXml() : asJson()
  const answer = await admin.post(api.versions, body, { 'content-type': contentType })
  expect(answer.status, answer.text).toBe(200)
})

test.each<[string, Record<string, string>]>([
  ['no Content-Type', {}],
  ['no Content-Type, chunked', { 'transfer-encoding': 'chunked' }],
  ['an empty Content-Type', { 'content-type': '' }],
  ['half a Content-Type', { 'content-type': 'application' }],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['text', { 'content-type': 'text/plain' }],
  ['text/json', { 'content-type': 'text/json' }],
  ['a fault', { 'content-type': 'application/problem+json' }],
  ["another vendor's JSON", { 'content-type': vendor('v80', 'json', 'vnd.other') }],
  ['latin1', { 'content-type': 'application/json; charset=iso-8859-1' }],
  ['UTF-16 XML', { 'content-type': 'application/xml; charset="utf-16"' }],
  ['a gzip label', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
])('a request type the operation does not take: 415, nothing stored: %s', async (_which, headers) => {
  const before = await api.latest()
  const answer = await admin.post(api.versions, asJson(), headers)
  expect([answer.status, answer.json.faultcode]).toEqual([415, 'UnsupportedMediaType'])
  expect(await api.latest()).toBe(before)
})

test.each(v81)('a request of Content-Type %s, not in the row of Update API: 415', async (contentType) => {
  const body = contentType.endsWith('xml') ? '<API><Name>no</Name></API>' : '{"Name": "no"}'
  const answer = await admin.send('PUT', api.path, { headers: { 'content-type': contentType }, body })
  expect([answer.status, answer.json.faultcode]).toEqual([415, 'UnsupportedMediaType'])
  expect((await admin.get(api.path)).json.Name).not.toBe('no')
})

test.each(['text/plain', vendor('v90', 'json')])('a 415 for %s names what the path does take', async (type) => {
  const answer = await admin.post(api.versions, 'Name=1', { 'content-type': type })
  for (const name of [...upToV80, ...v81]) expect(answer.json.faultstring).toContain(name)
})

test.each([
  'application/json; charset=UTF-8',
  'application/xml',
  'text/plain',
  'application/x-www-form-urlencoded',
  'undefined',
  '',
])('a Content-Type of "%s" on a GET or DELETE without a body is fine', async (contentType) => {
  const headers = { 'content-type': contentType }
  expect((await admin.get(version, headers)).status).toBe(200)
  expect((await admin.send('DELETE', `/api/users/${me}/roles/BusinessAdmin`, { headers })).status).toBe(200)
})

test.each([
  ['application/json', '{'],
  ['application/xml', '<'],
  ['application/x-www-form-urlencoded', '%ff'],
  ['undefined', '{}'],
])('a body of Content-Type %s to an operation that takes none is not looked at', async (contentType, body) => {
  const sent = { headers: { 'content-type': contentType }, body }
  expect((await admin.send('DELETE', `${api.path}/follow`, sent)).status).toBe(200)
  expect((await admin.send('POST', `${api.path}/follow`, sent)).status).toBe(200)
})

test('an operator may set the vendor word of the media types', async () => {
  const client = (await startService({ VENDOR_MEDIA_TREE: 'vnd.acme' })).client()
  const answer = await client.get('/api/login/domains', { accept: vendor('v80', 'json', 'vnd.acme') })
  expectWritten(answer, vendor('v80', 'json', 'vnd.acme'))
  expect((await client.get('/api/login/domains', { accept: vendor('v80', 'json') })).status).toBe(406)
})

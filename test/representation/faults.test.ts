import { XMLParser } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import type { Sent } from '../support/client.ts'
import { expectFault, expectPlain } from '../support/fault.ts'
import { startService } from '../support/service.ts'
import { apiOf } from '../support/version-body.ts'

const service = await startService({ PUBLIC_URL: 'https://apis.example.com' })
const admin = await service.siteAdmin()
const { versions } = await apiOf(admin)
const anyone = service.client()

const json = { 'content-type': 'application/json' }
const cases: { status: number; code: string; method: string; path: string; sent?: Sent }[] = [
  { status: 400, code: 'Malformed', method: 'POST', path: versions, sent: { body: {} } },
  { status: 400, code: 'Malformed', method: 'POST', path: versions, sent: { headers: json, body: '{' } },
  { status: 400, code: 'Malformed', method: 'GET', path: '/api/apis/%zz' },
  { status: 400, code: 'Malformed', method: 'GET', path: '/%c3%28' },
  { status: 400, code: 'Malformed', method: 'GET', path: '/api/search?q=%ff%fe' },
  { status: 400, code: 'Malformed', method: 'GET', path: '/api/apis?name=%zz' },
  { status: 400, code: 'Malformed', method: 'GET', path: '/openapi.json?%' },
  { status: 401, code: 'Unauthorized', method: 'GET', path: '/api/users/any/logindomain' },
  { status: 404, code: 'NotFound', method: 'GET', path: '/api/apis/versions/none' },
  { status: 404, code: 'NotFound', method: 'GET', path: `/api/apis/${'a'.repeat(10_000)}` },
  { status: 404, code: 'NotFound', method: 'GET', path: '/no/such/path' },
  { status: 404, code: 'NotFound', method: 'OPTIONS', path: '/no/such/path' },
  { status: 404, code: 'NotFound', method: 'POST', path: '/not/json', sent: { headers: json, body: '{' } },
  {
    status: 404,
    code: 'NotFound',
    method: 'POST',
    path: '/not/small',
    sent: { headers: json, body: ' '.repeat(2 ** 21) },
  },
  { status: 404, code: 'NotFound', method: 'PUT', path: '/no/type', sent: { body: 'text' } },
  { status: 405, code: 'MethodNotAllowed', method: 'DELETE', path: '/api/login' },
  { status: 405, code: 'MethodNotAllowed', method: 'TRACE', path: '/api/login/domains' },
  { status: 405, code: 'MethodNotAllowed', method: 'PROPFIND', path: '/api/apis' },
  { status: 404, code: 'NotFound', method: 'PROPFIND', path: '/no/such/path' },
  {
    status: 413,
    code: 'RequestTooLarge',
    method: 'POST',
    path: versions,
    sent: { headers: json, body: ' '.repeat(2 ** 21) },
  },
  { status: 415, code: 'UnsupportedMediaType', method: 'POST', path: versions, sent: { body: 'text' } },
]
const ask = ({ status, method, path, sent }: (typeof cases)[number], accept: string) =>
  (status === 401 ? anyone : admin).send(method, path, { ...sent, headers: { ...sent?.headers, accept } })

describe.each(cases)('$status for $method $path', (it) => {
  test('JSON', async () => {
    const answer = await ask(it, 'application/json')
    expect(answer.status).toBe(it.status)
    expect(answer.json.status).toBe(it.status)
    expectFault(answer.json, it.status, it.code)
    expectPlain(answer)
  })

  test('XML', async () => {
    const answer = await ask(it, 'application/xml')
    expect(answer.status).toBe(it.status)
    expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8')
    const { Fault } = new XMLParser().parse(answer.text)
    expect(Fault.status).toBe(it.status)
    expectFault(Fault, it.status, it.code)
    expectPlain(answer)
  })
})

test('406 has the same shape', async () => {
  const answer = await anyone.get('/api/login/domains', { accept: 'image/png' })
  expect(answer.status).toBe(406)
  expectFault(answer.json, 406, 'NotAcceptable')
  expectPlain(answer)
})

test('invalid input is named by errors, with a JSON pointer and a message each', async () => {
  const body = { Name: 1, Surprise: 2 }
  const errors = [
    { pointer: '/Surprise', message: 'is unknown' },
    { pointer: '/Name', message: 'must be a string' },
  ]
  expect((await admin.post(versions, body)).json.errors).toEqual(errors)
  const { text } = await admin.post(versions, body, { accept: 'text/xml' })
  expect(new XMLParser().parse(text).Fault.errors).toEqual(errors)
})

test('of very many errors a fault carries twenty', async () => {
  const { json } = await admin.post(versions, { Name: 'n', Tag: Array(100).fill(1) })
  expect([json.status, json.errors.length]).toEqual([400, 20])
})

test.each(['name=a&name=b', 'name=a&NAME=b', 'name=a&x=1&Name=b&name=c'])(
  'a parameter that occurs twice is said to: %s',
  async (query) => {
    const { status, json } = await anyone.get(`/api/apis?${query}`)
    expect([status, json.errors]).toEqual([400, [{ pointer: '/name', message: 'occurs twice' }]])
  },
)

test.each([json, { 'content-type': 'application/xml' }, {}])(
  'a body that is needed is asked for: %j',
  async (headers) => {
    const { status, json } = await admin.send('POST', versions, { headers })
    expect([status, json.faultstring, json.errors]).toEqual([
      400,
      'A body is needed.',
      [{ pointer: '', message: 'is needed' }],
    ])
  },
)

test.each(['\u0001', '\0', '\ufffe', '\ud800', '<&>', ']]>'])(
  'a fault is well-formed XML, whatever it quotes: %j',
  async (odd) => {
    const member = await admin.post(versions, { Name: 'n', [odd]: 1 }, { accept: 'application/xml' })
    const address = await admin.get(`/api/apis/${encodeURIComponent(odd.replace('\ud800', ''))}`, {
      accept: 'application/xml',
    })
    const reader = new XMLParser({ processEntities: true, parseTagValue: false })
    for (const { status, text } of [member, address]) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(text).not.toMatch(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/u)
      expect(reader.parse(text).Fault.faultstring).toMatch(/^(The body is not valid|No API has the id)/)
    }
  },
)

test('instance differs from request to request', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => anyone.get('/no/such/path')))
  expect(new Set(answers.map(({ json }) => json.instance)).size).toBe(3)
})

test('headers that protect stand on an answer without fault too', async () => {
  expectPlain(await anyone.get('/api/login/domains', { origin: 'https://evil.test' }))
  expectPlain(await anyone.send('OPTIONS', '/api/login/domains', { headers: { origin: 'https://evil.test' } }))
})

test.each([
  ['DELETE', '/api/login/domains', 'GET, HEAD, POST, OPTIONS'],
  ['TRACE', '/api/login/domains', 'GET, HEAD, POST, OPTIONS'],
  ['HEAD', '/api/login', 'POST, OPTIONS'],
  ['PATCH', '/api/login', 'POST, OPTIONS'],
  ['PROPFIND', '/api/login', 'POST, OPTIONS'],
  ['SEARCH', '/api/apis', 'POST, GET, HEAD, OPTIONS'],
  ['LOCK', '/api/apis/versions/none?x', 'DELETE, GET, HEAD, PUT, OPTIONS'],
  ['LINK', '/api/apis/versions/none/swagger/a/b', 'GET, HEAD, OPTIONS'],
])('405 with Allow: %s %s', async (method, path, allow) => {
  const answer = await anyone.send(method, path, { headers: { 'x-echo': 'echoed' } })
  expect([answer.status, answer.headers.allow]).toEqual([405, allow])
  expect(answer.text).not.toContain('echoed')
})

test('a method that a path does not have is 405, whatever the body', async () => {
  for (const headers of [{ 'content-type': 'application/json' }, { 'content-type': 'nonsense' }, {}]) {
    expect((await anyone.send('PUT', '/api/login', { headers, body: '{' })).status).toBe(405)
  }
})

test('OPTIONS tells which methods a path has', async () => {
  const answer = await anyone.send('OPTIONS', '/api/login/domains')
  expect([answer.status, answer.headers.allow, answer.text]).toEqual([204, 'GET, HEAD, POST, OPTIONS', ''])
})

test.each(['/api/login/domains', '/no/such/path', '/api/login/status', '/api/apis/versions/none'])(
  'HEAD %s answers like GET, without a body',
  async (path) => {
    const [head, get] = [await anyone.send('HEAD', path), await anyone.get(path)]
    expect([head.status, head.headers['content-type'], head.text]).toEqual([
      get.status,
      get.headers['content-type'],
      '',
    ])
  },
)

test('a 500 tells nothing of the inside', async () => {
  const broken = await startService({ PUBLIC_URL: 'https://apis.example.com' })
  await broken.db.destroy()
  const answer = await broken.client().get('/readyz')
  expect(answer.status).toBe(500)
  expectFault(answer.json, 500, 'InternalError')
  expect(answer.json.faultstring).toBe('An error occurred processing the call.')
  expect(answer.json.errors).toBeUndefined()
  expectPlain(answer)
})

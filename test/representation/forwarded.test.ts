import { expect, test } from 'vitest'
import { expectFault } from '../support/fault.ts'
import { adminEmail, adminPassword, startService } from '../support/service.ts'

const service = await startService({ TRUSTED_PROXIES: '127.0.0.1' })
const withoutProxy = await startService({}, service.connection)
const forwarded = (proto: string) =>
  service.client().get('/api/login/domains', { 'x-forwarded-host': 'apis.example.com', 'x-forwarded-proto': proto })

test.each(['javascript', 'https"><b>', 'wss', 'http, ftp'])(
  'a proxy that names the scheme %j is refused',
  async (proto) => {
    const { status, json } = await forwarded(proto)
    expect(status).toBe(400)
    expectFault(json, 400, 'Malformed')
  },
)

test.each(['http', 'https', 'HTTPS', 'ftp, https'])('a proxy may name the scheme %j', async (proto) => {
  expect((await forwarded(proto)).status).toBe(200)
})

test.each([
  ['https://apis.example.com', 200, 401],
  ['https://evil.example.com', 401, 401],
])(
  'a page at %s signs in through a proxy of apis.example.com: %i, through one that is not trusted: %i',
  async (origin, trusted, other) => {
    const headers = { origin, 'x-forwarded-host': 'apis.example.com', 'x-forwarded-proto': 'https' }
    const credentials = { email: adminEmail, password: adminPassword }
    const answers = await Promise.all(
      [service, withoutProxy].map((each) => each.client().post('/api/login', credentials, headers)),
    )
    expect(answers.map(({ status }) => status)).toEqual([trusted, other])
  },
)

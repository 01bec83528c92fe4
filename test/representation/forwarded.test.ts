import { expect, test } from 'vitest'
import { expectFault } from '../support/fault.ts'
import { startService } from '../support/service.ts'

const service = await startService({ TRUSTED_PROXIES: '127.0.0.1' })
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

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, createClient, type Sent, setCookies } from '../support/client.ts'
import { adminEmail, adminPassword, type Service, startService } from '../support/service.ts'

const service = await startService()
const shortLived = await startService({ TOKEN_LIFETIME_SECONDS: '2' }, service.connection)

const tokenName = 'PlatformAuthToken_platform'
const csrfName = 'Csrf-Token_platform'
const headerName = `X-${csrfName}`
const example = (name: string) => JSON.parse(readFileSync(`examples/${name}.json`, 'utf8'))

/** Sends with the token cookie alone, so that no header is there but those given. */
function bare(client: Client, at: Service = service) {
  const cookie = `${tokenName}=${client.cookies.get(tokenName)}`
  return (method: string, path: string, { headers = {}, body }: Sent = {}) =>
    createClient(at.url).send(method, path, { headers: { cookie, ...headers }, body })
}

const csrfOf = (client: Client) => client.cookies.get(csrfName) ?? ''

const admin = await service.siteAdmin()
const other = await service.person()
const sameUser = await service.siteAdmin()
const { APIID, AdminGroupID } = (await admin.post('/api/apis', example('api'))).json

/** Tokens of the admin's session: one that has expired, and one that came with a renewal. */
let expired = ''
let renewed = ''

beforeAll(async () => {
  const renew = async (at: Service) => {
    const headers = { [headerName]: csrfOf(admin) }
    const answer = await bare(admin, at)('POST', '/api/login/renewToken', { headers })
    return new Map(setCookies(answer)).get(csrfName) ?? ''
  }
  expired = await renew(shortLived)
  renewed = await renew(service)
  await sleep(2050)
})

const writes: [method: string, path: string, body: unknown][] = [
  ['POST', '/api/login/renewToken', undefined],
  ['POST', '/api/users', { Email: 'added@example.com', Password: 'a good password' }],
  ['PUT', `/api/users/${other.id}/roles/BusinessAdmin`, undefined],
  ['DELETE', `/api/users/${other.id}/roles/BusinessAdmin`, undefined],
  ['POST', `/api/groups/${AdminGroupID}/members`, { UserID: other.id }],
  ['DELETE', `/api/groups/${AdminGroupID}/members/${other.id}`, undefined],
  ['POST', '/api/apis', example('api')],
  ['POST', `/api/apis/${APIID}/versions`, { Name: 'guarded' }],
]

const wrong: [name: string, value: () => string | undefined][] = [
  ['missing', () => undefined],
  ['empty', () => ''],
  ['garbage', () => 'garbage'],
  ['a bad percent sequence', () => `${csrfOf(admin)}%`],
  ['signed by nobody', () => csrfOf(admin).replace(/.{43}$/, 'A'.repeat(43))],
  ['made to expire later', () => csrfOf(admin).replace('expirationTime%3D1', 'expirationTime%3D2')],
  ['expired', () => expired],
  ["another user's", () => csrfOf(other.client)],
  ["another session's of the same user", () => csrfOf(sameUser)],
  ['encoded twice', () => encodeURIComponent(csrfOf(admin))],
  ['the token cookie', () => admin.cookies.get(tokenName)],
]

describe.each(writes)('%s %s', (method, path, body) => {
  test.each(wrong)('is refused when the CSRF header is %s', async (_name, value) => {
    const header = value()
    const answer = await bare(admin)(method, path, {
      headers: header === undefined ? {} : { [headerName]: header },
      body,
    })
    expect(answer.status).toBe(401)
    expect(answer.json.faultstring).toContain(headerName.toLowerCase())
  })

  // A name that a refused request had taken would make this one a 400.
  test('is done with a good one', async () => {
    const answer = await bare(admin)(method, path, { headers: { [headerName]: csrfOf(admin) }, body })
    expect(answer.status, answer.text).toBe(200)
  })
})

test.each(['X-Csrf-Token_platform', 'x-csrf-token_platform', 'X-CSRF-TOKEN_PLATFORM', 'X-Csrf-Token_PLATFORM'])(
  'the header may be spelled %s',
  async (name) => {
    const answer = await bare(admin)('POST', '/api/login/renewToken', { headers: { [name]: csrfOf(admin) } })
    expect(answer.status).toBe(200)
  },
)

test('a federation member in mixed case keeps its case in cookies and loses it in the header', async () => {
  const mixed = await startService({ FEDMEMBER_ID: 'MyFed' })
  const client = mixed.client()
  await client.signIn(adminEmail, adminPassword)
  expect([...client.cookies.keys()]).toEqual(['PlatformAuthToken_MyFed', 'Csrf-Token_MyFed'])
  const cookie = `PlatformAuthToken_MyFed=${client.cookies.get('PlatformAuthToken_MyFed')}`
  const csrf = client.cookies.get('Csrf-Token_MyFed') ?? ''
  for (const [name, status] of [
    ['X-Csrf-Token_MyFed', 200],
    ['X-Csrf-Token_MYFED', 200],
    ['X-Csrf-Token_platform', 401],
  ] as const) {
    const headers = { cookie, [name]: csrf }
    expect((await mixed.client().send('POST', '/api/login/renewToken', { headers })).status).toBe(status)
  }
})

test('a token that came with a renewal is good, and so is the one before it', async () => {
  expect(renewed).not.toBe(csrfOf(admin))
  for (const csrf of [renewed, csrfOf(admin)]) {
    const answer = await bare(admin)('POST', '/api/login/renewToken', { headers: { [headerName]: csrf } })
    expect(answer.status).toBe(200)
  }
})

test('the header twice is refused, even with one value', async () => {
  const headers = { [headerName]: [csrfOf(admin), csrfOf(admin)] }
  expect((await bare(admin)('POST', '/api/login/renewToken', { headers })).status).toBe(401)
})

test.each(['GET', 'HEAD'])('%s ignores a bad header', async (method) => {
  const answer = await bare(admin)(method, '/api/login/status', { headers: { [headerName]: 'garbage' } })
  expect(answer.status).toBe(200)
})

test.each(['/api/login', '/api/login/logout'])(
  'POST %s needs no header, also from somebody signed in',
  async (path) => {
    const send = bare((await service.person()).client)
    const body = path === '/api/login' ? { email: adminEmail, password: adminPassword } : undefined
    expect((await send('POST', path, { body })).status).toBe(200)
  },
)

describe('by the settings of the platform', () => {
  const path = '/api/login/renewToken'

  test('writes need no header with CSRF_ON_WRITES=false, and a bad one is ignored', async () => {
    const lax = await startService({ CSRF_ON_WRITES: 'false' }, service.connection)
    const send = bare(await lax.siteAdmin(), lax)
    expect((await send('POST', path)).status).toBe(200)
    expect((await send('POST', path, { headers: { [headerName]: 'garbage' } })).status).toBe(200)
    expect((await lax.client().send('POST', path)).status).toBe(401)
  })

  test('reads of somebody signed in need the header with CSRF_ON_READS=true', async () => {
    const strict = await startService({ CSRF_ON_READS: 'true' }, service.connection)
    const client = await strict.siteAdmin()
    const send = bare(client, strict)
    for (const path of ['/api/login/status', `/api/apis/${APIID}`]) {
      expect((await send('GET', path)).status).toBe(401)
      expect((await send('HEAD', path)).status).toBe(401)
      expect((await send('GET', path, { headers: { [headerName]: 'garbage' } })).status).toBe(401)
      expect((await send('GET', path, { headers: { [headerName]: csrfOf(client) } })).status).toBe(200)
    }
    expect((await send('POST', '/api/login/renewToken')).status).toBe(401)
    expect((await strict.client().get(`/api/apis/${APIID}`)).status).toBe(200)
    for (const open of ['/api/login/domains', '/livez']) expect((await send('GET', open)).status).toBe(200)
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type Client, createClient, setCookies } from '../support/client.ts'
import { type Service, startService } from '../support/service.ts'

const service = await startService()
const replica = await startService({}, service.connection)

const gone = ['Max-Age=0', 'Expires=Thu, 01 Jan 1970 00:00:00 GMT']
const tokenName = 'PlatformAuthToken_platform'
const tokenOf = (client: Client) => client.cookies.get(tokenName) ?? ''

/** A client of `there` with the cookies of another. */
function carried(client: Client, there: Service): Client {
  const copy = createClient(there.url)
  for (const [name, value] of client.cookies) copy.cookies.set(name, value)
  return copy
}

const status = (client: Client) => client.get('/api/login/status')
const statusWith = (value: string) => service.client().get('/api/login/status', { cookie: `${tokenName}=${value}` })

async function renew(client: Client) {
  const answer = await client.post('/api/login/renewToken', '', { 'content-type': 'application/x-www-form-urlencoded' })
  return { answer, cookies: new Map(setCookies(answer)) }
}

/** Another replica may remember a session for a second. */
const withinASecond = { timeout: 1300, interval: 20 }

describe('status', async () => {
  const { client: someone } = await service.person()

  test('is the answer of the sign-in', async () => {
    const client = service.client()
    const { email, password } = await service.person()
    const signedIn = await client.signIn(email, password)
    const answer = await status(client)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual(signedIn.json)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('is 401 without a cookie', async () => {
    expect((await status(service.client())).status).toBe(401)
  })

  const altered = (change: (list: string) => string) => (token: string) =>
    encodeURIComponent(change(decodeURIComponent(token)))

  test.each<[string, (token: string) => string]>([
    ['nothing', () => ''],
    ['a bare percent sign', () => '%'],
    ['a cut UTF-8 sequence', (token) => `${token}%E0%A4%A`],
    ['garbage', () => 'garbage'],
    ['eight kilobytes', () => 'x'.repeat(8192)],
    ['NUL', () => 'TokenID%3D%00'],
    ['a token with another signature', altered((list) => list.replace(/.{43}$/, 'A'.repeat(43)))],
    ['a token with more behind the signature', (token) => `${token}AA`],
    ['a token without signature', (token) => token.replace(/%2Csig.*/, '')],
    ['a token that expires later', altered((list) => list.replace(/expirationTime=\d/, 'expirationTime=2'))],
    ['a token of another user name', altered((list) => list.replace(/UserName=[^,]*/, 'UserName=admin@localhost'))],
    ['a token of another session', altered((list) => list.replace(/TokenID=.{8}/, 'TokenID=00000000'))],
    ['a token that was encoded twice', (token) => encodeURIComponent(token)],
  ])('is 401 for a cookie that holds %s', async (_case, value) => {
    expect((await statusWith(tokenOf(someone))).status).toBe(200)
    expect((await statusWith(value(tokenOf(someone)))).status).toBe(401)
  })

  test('is 401 when the cookie comes twice, even with one value', async () => {
    const token = tokenOf(someone)
    for (const [first, second] of [
      [token, token],
      [token, 'x'],
      ['x', token],
    ]) {
      expect((await statusWith(`${first}; ${tokenName}=${second}`)).status).toBe(401)
    }
    expect((await statusWith(`${token}; other_${tokenName}=x`)).status).toBe(200)
  })
})

describe('renewToken', () => {
  test('continues the session with a new cookie, and the older token stays good', async () => {
    const { client, id } = await service.person()
    const { answer, cookies } = await renew(client)
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ userFDN: id, loginState: 'LoggedIn' })
    const [older, newer] = [tokenOf(client), cookies.get(tokenName) ?? '']
    expect(newer).not.toBe(older)
    expect(newer.split('%2C')[0]).toBe(older.split('%2C')[0])
    expect(cookies.has('Csrf-Token_platform')).toBe(true)
    for (const token of [older, newer]) expect((await statusWith(token)).status).toBe(200)
  })

  test('16 at once all succeed, on two replicas, and signing out ends what all of them gave', async () => {
    const { client } = await service.person()
    const clients = [client, carried(client, replica)]
    const renewals = await Promise.all(Array.from({ length: 16 }, (_, n) => renew(clients[n % 2] as Client)))
    expect(renewals.map(({ answer }) => answer.status)).toEqual(Array(16).fill(200))
    const tokens = [tokenOf(client), ...renewals.map(({ cookies }) => cookies.get(tokenName) ?? '')]

    await client.post('/api/login/logout')
    const answers = await Promise.all(tokens.map(statusWith))
    expect(answers.map((answer) => answer.status)).toEqual(Array(17).fill(401))
  })
})

describe.concurrent('the end of time', async () => {
  const shortToken = await startService({ TOKEN_LIFETIME_SECONDS: '2' }, service.connection)
  const shortIdle = await startService({ SESSION_IDLE_SECONDS: '2' }, service.connection)
  const shortSession = await startService({ SESSION_MAX_SECONDS: '2' }, service.connection)

  test('an expired token is refused and cannot be renewed', async () => {
    const { client } = await shortToken.person()
    await sleep(2050)
    expect((await status(client)).status).toBe(401)
    const { answer } = await renew(client)
    expect(answer.status).toBe(401)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('a session that is not used ends after the idle time', async () => {
    const { client } = await shortIdle.person()
    await sleep(2050)
    expect((await status(client)).status).toBe(401)
    expect((await renew(client)).answer.status).toBe(401)
  })

  test('a session that is used outlives the idle time', async () => {
    const { client } = await shortIdle.person()
    for (const end = Date.now() + 2500; Date.now() < end; await sleep(200)) {
      expect((await status(client)).status).toBe(200)
    }
  })

  test('no renewal passes the longest time of a session', async () => {
    const { email, password } = await shortSession.person()
    const client = shortSession.client()
    const signedIn = await client.signIn(email, password)
    const end = signedIn.json.authTokenValidUntil
    expect(Math.abs(Date.parse(end) - Date.now() - 2000)).toBeLessThan(1000)
    await sleep(500)
    const { answer, cookies } = await renew(client)
    expect(answer.json.authTokenValidUntil).toBe(end)
    for (const [name, value] of cookies) client.cookies.set(name, value)
    await sleep(1600)
    expect((await status(client)).status).toBe(401)
    expect((await renew(client)).answer.status).toBe(401)
  })
})

describe.each([
  ['POST', '/api/login/logout'],
  ['GET', '/api/login/endsession'],
])('%s %s', (method, path) => {
  test('clears both cookies and ends every token of the session on every replica, needing no CSRF header', async () => {
    const { client, email, password } = await service.person()
    const renewed = (await renew(client)).cookies.get(tokenName) ?? ''
    const elsewhere = carried(client, replica)
    expect((await status(elsewhere)).status).toBe(200)
    const otherSession = service.client()
    await otherSession.signIn(email, password)

    const cookie = `${tokenName}=${tokenOf(client)}`
    const answer = await service.client().send(method, path, { headers: { cookie } })
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(answer.headers['set-cookie']?.map((line) => line.split('; ').sort())).toEqual([
      [...gone, 'HttpOnly', 'Path=/', `${tokenName}=`, 'SameSite=Lax'].sort(),
      [...gone, 'Path=/', 'Csrf-Token_platform=', 'SameSite=Lax'].sort(),
    ])
    for (const token of [tokenOf(client), renewed]) expect((await statusWith(token)).status).toBe(401)
    await expect.poll(async () => (await status(elsewhere)).status, withinASecond).toBe(401)
    expect((await status(otherSession)).status).toBe(200)
  })

  test.each(['', `${tokenName}=garbage`])('clears the cookies also for the Cookie "%s"', async (cookie) => {
    const answer = await service.client().send(method, path, { headers: cookie ? { cookie } : {} })
    expect(answer.status).toBe(200)
    expect(setCookies(answer)).toEqual([
      [tokenName, ''],
      ['Csrf-Token_platform', ''],
    ])
  })

  test('is refused for a page of another site, and the session goes on', async () => {
    const { client } = await service.person()
    for (const [site, expected] of [
      ['cross-site', 401],
      ['same-origin', 200],
    ] as const) {
      expect((await status(client)).status).toBe(200)
      expect((await client.send(method, path, { headers: { 'sec-fetch-site': site } })).status).toBe(expected)
    }
    expect((await status(client)).status).toBe(401)
  })
})

describe('what a session may', () => {
  test('follows the roles: a removed one is gone at once, and within a second on another replica', async () => {
    const [admin, { client, id }] = [await service.siteAdmin(), await service.person('SiteAdmin')]
    const elsewhere = carried(client, replica)
    const readAnother = async (by: Client) => (await by.get(`/api/users/${otherId}`)).status
    const otherId = (await service.person()).id
    expect([await readAnother(client), await readAnother(elsewhere)]).toEqual([200, 200])

    await admin.send('DELETE', `/api/users/${id}/roles/SiteAdmin`)
    expect(await readAnother(client)).toBe(401)
    await expect.poll(() => readAnother(elsewhere), withinASecond).toBe(401)

    await admin.send('PUT', `/api/users/${id}/roles/SiteAdmin`)
    expect(await readAnother(client)).toBe(200)
    await expect.poll(() => readAnother(elsewhere), withinASecond).toBe(200)
  })

  test('ends within a second for a user who was disabled', async () => {
    const { client, id } = await service.person()
    expect((await status(client)).status).toBe(200)
    await service.db.updateTable('app_user').set({ enabled: false }).where('id', '=', id.slice(0, 36)).execute()
    await expect.poll(async () => (await status(client)).status, withinASecond).toBe(401)
  })
})

test('a token of an older key holds while that key is listed second, and no longer', async () => {
  const [older, newer] = ['the-older-key-'.repeat(3), 'the-newer-key-'.repeat(3)]
  const before = await startService({ SECRET_KEYS: older })
  const during = await startService({ SECRET_KEYS: `${newer},${older}` }, before.connection)
  const after = await startService({ SECRET_KEYS: newer }, before.connection)
  const client = await before.siteAdmin()
  expect((await status(carried(client, during))).status).toBe(200)
  expect((await status(carried(client, after))).status).toBe(401)

  const { answer, cookies } = await renew(carried(client, during))
  expect(answer.status).toBe(200)
  const rotated = createClient(after.url)
  for (const [name, value] of cookies) rotated.cookies.set(name, value)
  expect((await renew(rotated)).answer.status).toBe(200)
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setCookies } from '../support/client.ts'
import { oauthCookie, sendForm, tokenOf } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const person = await service.person()
const path = '/oauth/login'

async function signedIn() {
  const client = service.client()
  await sendForm(client, path, { identity_email: person.email, secret_password: person.password })
  return client
}

const sessionId = (client: Parameters<typeof tokenOf>[0]) => Object.fromEntries(tokenOf(client)).TokenID as string

test.each(['GET', 'POST'])('%s renewToken gives a new token of the same session', async (method) => {
  const client = await signedIn()
  const before = client.cookies.get(oauthCookie)
  await new Promise((resolve) => setTimeout(resolve, 5))
  const answer = await client.send(method, `${path}/renewToken`)
  expect(answer.status).toBe(200)
  expect(answer.json).toEqual({ DomainName: 'siteusers', UserName: person.email })
  const after = new Map(setCookies(answer)).get(oauthCookie)
  expect(after).toBeDefined()
  expect(after).not.toBe(before)
  const id = sessionId(client)
  client.cookies.set(oauthCookie, after ?? '')
  expect(sessionId(client)).toBe(id)
  expect((await client.get(`${path}/renewToken`)).status).toBe(200)
})

test('a token holds until the end of its session at most', async () => {
  const client = await signedIn()
  const id = sessionId(client)
  await sql`update session set started = now() - interval '11 hours 58 minutes' where id = ${id}`.execute(service.db)
  const answer = await client.get(`${path}/renewToken`)
  client.cookies.set(oauthCookie, new Map(setCookies(answer)).get(oauthCookie) ?? '')
  const { issueTime, expirationTime } = Object.fromEntries(tokenOf(client))
  expect(Number(expirationTime) - Number(issueTime)).toBeLessThanOrEqual(120_000)
})

test.each([
  ['no cookie', () => undefined],
  ['a made-up cookie', () => 'TokenID%3Dmade-up'],
  ['a changed cookie', (genuine: string) => genuine.replace('expirationTime%3D1', 'expirationTime%3D2')],
])('renewToken with %s is a 401', async (_what, change) => {
  const client = await signedIn()
  const cookie = change(client.cookies.get(oauthCookie) ?? '')
  client.cookies.clear()
  if (cookie) client.cookies.set(oauthCookie, cookie)
  const answer = await client.get(`${path}/renewToken`)
  expect(answer.status).toBe(401)
  expect(answer.headers['set-cookie']).toBeUndefined()
})

test('the cookie twice in one request is a 401', async () => {
  const client = await signedIn()
  const value = `${oauthCookie}=${client.cookies.get(oauthCookie)}`
  client.cookies.clear()
  expect((await client.get(`${path}/renewToken`, { cookie: `${value}; ${value}` })).status).toBe(401)
})

test('an idle session ends', async () => {
  const client = await signedIn()
  const id = sessionId(client)
  await sql`update session set last_seen = now() - interval '31 minutes' where id = ${id}`.execute(service.db)
  expect((await client.get(`${path}/renewToken`)).status).toBe(401)
})

test('logout ends the session on the server and clears the cookie, also when there was none', async () => {
  const client = await signedIn()
  const answer = await client.get(`${path}/logout`)
  expect([answer.status, answer.text]).toEqual([200, ''])
  expect(answer.headers['set-cookie']?.[0]).toMatch(
    /^OAuthToken_platform=; Max-Age=0; Path=\/; .*HttpOnly; SameSite=Lax$/,
  )
  expect((await client.get(`${path}/renewToken`)).status).toBe(401)
  expect((await service.client().get(`${path}/logout`)).status).toBe(200)
})

test.each(['logout', 'renewToken'])(
  'GET %s from a page of another site is refused and changes nothing',
  async (name) => {
    const client = await signedIn()
    const answer = await client.get(`${path}/${name}`, { 'sec-fetch-site': 'cross-site' })
    expect(answer.status).toBe(401)
    expect((await client.get(`${path}/renewToken`)).status).toBe(200)
  },
)

test('a disabled user is out at the next renewal', async () => {
  const client = await signedIn()
  await service.db.updateTable('app_user').set({ enabled: false }).where('email', '=', person.email).execute()
  expect((await client.get(`${path}/renewToken`)).status).toBe(401)
  await service.db.updateTable('app_user').set({ enabled: true }).where('email', '=', person.email).execute()
})

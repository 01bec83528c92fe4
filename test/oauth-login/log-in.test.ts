import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Answer, setCookies } from '../support/client.ts'
import { oauthCookie, sendForm, tokenMembers, tokenOf } from '../support/oauth.ts'
import { adminEmail, adminPassword, startService } from '../support/service.ts'

const service = await startService({ LOGIN_ADDRESS_PER_MINUTE: '100000' })
const admin = await service.siteAdmin()
const person = await service.person()

const path = '/oauth/login'
const right = { identity_email: person.email, secret_password: person.password }

/** What an answer says apart from what differs between any two answers. */
function comparable({ status, headers, json }: Answer) {
  return { status, headers: { ...headers, date: undefined }, body: { ...json, instance: undefined } }
}

test.each([
  ['the e-mail address', { identity_email: person.email }],
  ['the user name', { identity_username: person.email.toUpperCase() }],
])('%s and the password answer who it is, and set the one cookie', async (_what, name) => {
  const client = service.client()
  const answer = await sendForm(client, path, { ...name, secret_password: person.password })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.json).toEqual({ DomainName: 'siteusers', UserName: person.email })
  expect(setCookies(answer).map(([cookie]) => cookie)).toEqual([oauthCookie])
  const [, ...attributes] = (answer.headers['set-cookie']?.[0] ?? '').split('; ')
  expect(attributes.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax'])
})

test('the token is the documented list, tells domain and user, and lives ten minutes', async () => {
  const client = service.client()
  await sendForm(client, path, right)
  const members = tokenOf(client)
  expect(members.map(([name]) => name)).toEqual(tokenMembers)
  const token = Object.fromEntries(members)
  const user = person.id.replace('.platform', '')
  expect(token.claimed_id).toBe(`urn:platform:user:siteusers:${user}`)
  expect(token.UserFDN).toBe(person.id)
  expect(Number(token.expirationTime) - Number(token.issueTime)).toBe(600_000)
})

test('a cookie of one interface is worth nothing on the other', async () => {
  const client = service.client()
  await sendForm(client, path, right)
  const oauthToken = client.cookies.get(oauthCookie) ?? ''
  client.cookies.clear()
  client.cookies.set('PlatformAuthToken_platform', oauthToken)
  expect((await client.get('/api/login/status')).status).toBe(401)
  const mainToken = person.client.cookies.get('PlatformAuthToken_platform') ?? ''
  client.cookies.clear()
  client.cookies.set(oauthCookie, mainToken)
  expect((await client.get(`${path}/renewToken`)).status).toBe(401)
})

test('unknown, wrong and disabled answer alike, without a cookie', async () => {
  const disabled = await service.person()
  await service.db.updateTable('app_user').set({ enabled: false }).where('email', '=', disabled.email).execute()
  const refusals = [
    { identity_email: 'nobody@example.com', secret_password: 'x' },
    { identity_username: 'nobody', secret_password: 'x' },
    { identity_email: person.email, secret_password: 'x' },
    { identity_email: person.email, secret_password: '' },
    { identity_email: disabled.email, secret_password: disabled.password },
    // Only administrators may name the built-in domain.
    { ...right, Domain: 'siteusers' },
  ]
  const answers = []
  for (const fields of refusals) answers.push(await sendForm(service.client(), path, fields))
  expect(answers.map(({ status }) => status)).toEqual(refusals.map(() => 401))
  expect(new Set(answers.map((answer) => JSON.stringify(comparable(answer)))).size).toBe(1)
  expect(answers[0]?.headers['set-cookie']).toBeUndefined()
})

test.each(['siteusers', 'siteusers.platform'])('Domain=%s lets an administrator in', async (Domain) => {
  const fields = { identity_email: adminEmail, secret_password: adminPassword, Domain }
  expect((await sendForm(service.client(), path, fields)).status).toBe(200)
})

test.each([
  ['no name', { secret_password: 'x' }, 'identity_username or identity_email'],
  ['empty names', { identity_username: '', identity_email: '', secret_password: 'x' }, 'identity_email'],
  ['no password', { identity_email: person.email }, 'secret_password'],
  ['another domain', { ...right, Domain: 'elsewhere' }, 'ssoLogin'],
  ['an unknown field', { ...right, extra: '1' }, '/extra'],
  ['a finalUrl elsewhere', { ...right, finalUrl: 'https://evil.test/' }, 'finalUrl'],
])('%s is a 400 that names it, and signs nobody in', async (_what, fields, named) => {
  const answer = await sendForm(service.client(), path, fields as Record<string, string>)
  expect(answer.status).toBe(400)
  expect(answer.json.faultstring).toContain(named)
  expect(answer.headers['set-cookie']).toBeUndefined()
})

test.each([
  ['a name with NUL', 'identity_username=a%00b&secret_password=x', '/identity_username'],
  ['an address with NUL', 'identity_email=a%00b&secret_password=x', '/identity_email'],
  ['a password with NUL', 'identity_email=a&secret_password=%00', '/secret_password'],
  ['a password that is not UTF-8', 'identity_email=a&secret_password=a%FFb', 'UTF-8'],
  ['a name twice', 'identity_username=a&secret_password=x&identity_username=b', '/identity_username occurs twice'],
  [
    'a password twice, even the same',
    'identity_email=a&secret_password=x&secret_password=x',
    '/secret_password occurs',
  ],
  ['a field with a slash twice', 'a/b=1&a/b=1', '/a~1b occurs twice'],
  ['a long field twice', `${'a'.repeat(1000)}=1&`.repeat(2), `/${'a'.repeat(100)} occurs twice`],
  ['a name that is half a character', 'identity_username=%C3&secret_password=x', 'UTF-8'],
])('%s is a 400 that names it', async (_what, body, named) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await service.client().post(path, body, headers)
  expect([answer.status, answer.json.faultstring]).toEqual([400, expect.stringContaining(named)])
})

test('a form may hold any character, and a % that encodes nothing', async () => {
  const { id, email } = await service.person()
  const password = '100% %zz %é😀'
  await admin.send('PUT', `/api/users/${id}`, { body: { Password: password } })
  expect((await sendForm(service.client(), path, { identity_email: email, secret_password: password })).status).toBe(
    200,
  )
  const body = `identity_email=${email}&secret_password=100%+%zz+%%C3%A9%F0%9F%98%80`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await service.client().post(path, body, headers)).status).toBe(200)
})

test.each([
  ['address', { identity_email: '', identity_username: person.email }],
  ['name', { identity_email: person.email, identity_username: '' }],
])('an empty %s beside the other name counts as none', async (_what, names) => {
  expect((await sendForm(service.client(), path, { ...names, secret_password: person.password })).status).toBe(200)
})

test('JSON is not taken', async () => {
  expect((await service.client().post(path, right)).status).toBe(415)
})

test('a page of another site may not sign anybody in', async () => {
  const answer = await sendForm(service.client(), path, right, { origin: 'https://evil.test' })
  expect(answer.status).toBe(401)
  expect(answer.headers['set-cookie']).toBeUndefined()
})

test('failures count for both interfaces, and a throttled name answers alike whether it exists', async () => {
  const { email } = await service.person()
  const wait = async (identity_email: string) => {
    for (let tries = 0; tries < 5; tries++)
      await sendForm(service.client(), path, { identity_email, secret_password: 'wrong' })
    // However slow the machine is, the wait is not over.
    await sql`update sign_in_throttle set blocked_until = blocked_until + interval '60 seconds'
      where failures = 5 and subject = ${`account email ${identity_email}`}`.execute(service.db)
    return sendForm(service.client(), path, { identity_email, secret_password: 'wrong' })
  }
  const [known, unknown] = [await wait(email), await wait('no-such@example.com')]
  expect(known.status).toBe(429)
  expect(known.headers['retry-after']).toBeDefined()
  expect(comparable(unknown)).toEqual(comparable(known))
  expect((await service.client().post('/api/login', { email, password: 'wrong' })).status).toBe(429)
})

test('its own address makes the cookie Secure', async () => {
  const elsewhere = await startService(
    { OAUTH_URL: 'https://oauth.example.com', OAUTH_PROVIDER_NAME: 'Acme' },
    service.connection,
  )
  const answer = await sendForm(elsewhere.client(), path, right)
  expect(answer.headers['set-cookie']?.[0]).toMatch(/^OAuthToken_Acme=.*; Secure/)
  expect(admin.cookies.has('OAuthToken_Acme')).toBe(false)
})

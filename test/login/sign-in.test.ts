import { expect, test } from 'vitest'
import { type Answer, setCookies } from '../support/client.ts'
import { adminEmail, adminPassword, startService } from '../support/service.ts'

const service = await startService({ LOGIN_ADDRESS_PER_MINUTE: '100000' })
const behindTls = await startService({ PUBLIC_URL: 'https://apis.example.com' }, service.connection)
const inFrames = await startService(
  { PUBLIC_URL: 'https://apis.example.com', COOKIE_SAME_SITE: 'None' },
  service.connection,
)
const admin = await service.siteAdmin()

const credentials = { email: adminEmail, password: adminPassword }
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

const cookieOf = (answer: Answer, name: string) => new Map(setCookies(answer)).get(name) ?? ''

/** What an answer says apart from what differs between any two answers. */
function comparable({ status, headers, json }: Answer) {
  return { status, headers: { ...headers, date: undefined }, body: { ...json, instance: undefined } }
}

test('signing in answers who it is and until when the token holds', async () => {
  const before = Date.now()
  const answer = await service.client().post('/api/login', credentials)
  expect(answer.status).toBe(200)
  expect(answer.json).toEqual({
    userName: adminEmail,
    userFDN: expect.stringMatching(new RegExp(`^${uuid}\\.platform$`)),
    avatarURL: '',
    status: 'Active',
    loginState: 'LoggedIn',
    loginDomainId: 'siteusers.platform',
    authTokenValidUntil: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    pendingNotifications: 0,
  })
  const lifetime = Date.parse(answer.json.authTokenValidUntil) - before
  expect(Math.abs(lifetime - 1800_000)).toBeLessThan(10_000)
})

test.each([
  ['http', service, ['SameSite=Lax']],
  ['https', behindTls, ['SameSite=Lax', 'Secure']],
  ['https, for use in frames', inFrames, ['SameSite=None', 'Secure']],
])('over %s two separate Set-Cookie headers carry the token and the CSRF token', async (_scheme, { client }, more) => {
  const answer = await client().post('/api/login', credentials)
  expect(answer.headers.location).toBeUndefined()
  const lines = (answer.headers['set-cookie'] ?? []).map((line) => line.split('; '))
  expect(lines.map(([pair]) => pair?.split('=')[0])).toEqual(['PlatformAuthToken_platform', 'Csrf-Token_platform'])
  const [token, csrf] = lines.map(([, ...attributes]) => attributes.sort())
  expect(token).toEqual(['HttpOnly', 'Path=/', ...more])
  expect(csrf).toEqual(['Path=/', ...more])
})

test('the cookies are the documented comma lists, URL-encoded', async () => {
  const answer = await service.client().post('/api/login', credentials)
  const { userFDN, authTokenValidUntil } = answer.json
  const [token, csrf] = setCookies(answer).map(([, value]) => value)
  expect(token + String(csrf)).toMatch(/^[\w.%-]+$/)
  const user = userFDN.slice(0, -'.platform'.length)
  const end = Date.parse(authTokenValidUntil)
  expect(decodeURIComponent(String(token))).toMatch(
    new RegExp(
      `^TokenID=${uuid},claimed_id=urn:platform:user:platform:${user},issueTime=\\d{13},expirationTime=${end},` +
        `UserName=${adminEmail},UserFDN=${userFDN},AttributesIncluded=false,sig=[\\w-]{43}$`,
    ),
  )
  expect(decodeURIComponent(String(csrf))).toMatch(new RegExp(`^TokenID=${uuid},expirationTime=${end},sig=[\\w-]{43}$`))
})

test('no two sign-ins get the same token', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.client().post('/api/login', credentials)))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  for (const name of ['PlatformAuthToken_platform', 'Csrf-Token_platform']) {
    const ids = answers.map((answer) => /^TokenID%3D([^%]+)/.exec(cookieOf(answer, name))?.[1])
    expect(new Set(ids).size).toBe(20)
  }
})

test('the token cookie of the longest user name stays below 4096 bytes', async () => {
  const UserName = '😀'.repeat(200)
  await admin.post('/api/users', { Email: 'long@example.com', UserName, Password: 'a long name' })
  const answer = await service.client().post('/api/login', { email: 'long@example.com', password: 'a long name' })
  expect(answer.json.userName).toBe(UserName)
  expect(Math.max(...(answer.headers['set-cookie'] ?? []).map((line) => line.length))).toBeLessThan(4096)
})

test('wrong password, unknown user, disabled user and disabled domain: the same 401 but its instance, no cookie', async () => {
  const known = await service.person()
  const off = { Email: 'off@example.com', Password: 'a good password', Enabled: false }
  expect((await admin.post('/api/users', off)).status).toBe(200)
  const attempt = (email: string, password: string) => service.client().post('/api/login', { email, password })

  const wrong = await attempt(known.email, 'a wrong password')
  expect(wrong.status).toBe(401)
  expect(wrong.headers['set-cookie']).toBeUndefined()
  const others = [await attempt('nobody@example.com', known.password), await attempt(off.Email, off.Password)]
  await service.db.updateTable('login_domain').set({ enabled: false }).where('id', '=', 'siteusers').execute()
  others.push(await attempt(known.email, known.password))
  await service.db.updateTable('login_domain').set({ enabled: true }).where('id', '=', 'siteusers').execute()
  for (const other of others) expect(comparable(other)).toEqual(comparable(wrong))
  expect((await attempt(known.email, known.password)).status).toBe(200)
})

test.each([
  ['https://evil.test', 401],
  ['http://127.0.0.1:1', 401],
  ['null', 401],
  ['no address', 401],
  ['https://apis.example.com', 200],
  [behindTls.url, 200],
])('a sign-in with the Origin %s answers %i', async (origin, status) => {
  const answer = await behindTls.client().post('/api/login', credentials, { origin })
  expect(answer.status).toBe(status)
  expect(setCookies(answer)).toHaveLength(status === 200 ? 2 : 0)
})

test.each([
  ['http://apis.example.com', 'apis.example.com:80', 200],
  ['https://apis.example.com', 'apis.example.com:443', 200],
  ['https://apis.example.com:444', 'apis.example.com:443', 401],
  ['http://apis.example.com', 'apis.example.com:443', 401],
])('a page at %s signs in at %s, as proxies may write it: %i', async (origin, host, status) => {
  expect((await service.client().post('/api/login', credentials, { origin, host })).status).toBe(status)
})

test('a cookie that was planted before does not matter', async () => {
  const planted = (await service.person()).client.cookies.get('PlatformAuthToken_platform') ?? ''
  for (const value of [planted, 'TokenID%3Dplanted', '%']) {
    const cookie = `PlatformAuthToken_platform=${value}`
    const answer = await service.client().post('/api/login', credentials, { cookie })
    expect(answer.json.userName).toBe(adminEmail)
    const token = decodeURIComponent(cookieOf(answer, 'PlatformAuthToken_platform'))
    expect(token.slice(0, 44)).not.toBe(decodeURIComponent(planted).slice(0, 44))
  }
})

const long = 'seventy-two bytes and more that some hashes cut off: '.repeat(2)

test.each([
  ['with blanks at both ends', '  blank password  ', 'blank password'],
  ['of blanks alone', '         ', '          '],
  ['with emoji', '🐈🐈🐈🐈🐈🐈🐈🐕', '🐈🐈🐈🐈🐈🐈🐈🐈'],
  ['in one Unicode form', 'caf\u00e9 caf\u00e9', 'cafe\u0301 cafe\u0301'],
  ['in one case', 'Password', 'password'],
  ['of more than 72 bytes', `${long}a`, `${long}b`],
  ['of 256 characters', `${'😀'.repeat(255)}a`, `${'😀'.repeat(255)}b`],
])('a password %s counts exactly as it was sent', async (name, password, similar) => {
  const email = `${name.replaceAll(' ', '-')}@example.com`
  const added = await admin.post('/api/users', { Email: email, Password: password })
  expect(added.status, added.text).toBe(200)
  expect((await service.client().signIn(email, similar)).status).toBe(401)
  expect((await service.client().signIn(email, password)).status).toBe(200)
})

test.each(['Someone@Example.com', 'İNCİ@example.com', 'STRASSE-ẞ@example.com'])(
  'the address %s signs in as it was added',
  async (email) => {
    await admin.post('/api/users', { Email: email, Password: 'a good password' })
    expect((await service.client().signIn(email, 'a good password')).status).toBe(200)
  },
)

test('the case of the address does not matter', async () => {
  const { email, password } = await service.person()
  expect((await service.client().signIn(email.toUpperCase(), password)).status).toBe(200)
})

test('passwords are stored as argon2id hashes; one whose cost is beyond all bounds is refused, not computed', async () => {
  const { id, email, password } = await service.person()
  const user = service.db.updateTable('app_user').where('id', '=', id.slice(0, 36))
  const stored = await service.db.selectFrom('app_user').selectAll().where('email', '=', email).executeTakeFirst()
  expect(stored?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)

  const costly = stored?.password_hash?.replace('m=19456,t=2', 'm=8388608,t=1000') ?? null
  await user.set({ password_hash: costly }).execute()
  const started = performance.now()
  expect((await service.client().signIn(email, password)).status).toBe(401)
  expect(performance.now() - started).toBeLessThan(2000)
})

test.each([
  ['no password', { email: adminEmail }, '/password'],
  ['an empty password', { email: adminEmail, password: '' }, '/password'],
  ['a password that is no text', { email: adminEmail, password: 12345678 }, '/password'],
  ['a password of over 1024 characters', { email: adminEmail, password: 'x'.repeat(1025) }, '/password'],
  ['no address', { password: adminPassword }, '/email'],
])('%s is a 400 that names the member', async (_case, body, pointer) => {
  const answer = await service.client().post('/api/login', body)
  expect(answer.status).toBe(400)
  expect(answer.json.errors[0].pointer).toBe(pointer)
})

test('a body that cannot be read is not echoed', async () => {
  const body = `{"email": "${adminEmail}", "password": "${adminPassword}"`
  const answer = await service.client().post('/api/login', body, { 'content-type': 'application/json' })
  expect(answer.status).toBe(400)
  expect(answer.text).not.toContain(adminPassword.slice(0, 5))
})

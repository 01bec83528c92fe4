import { describe, expect, test } from 'vitest'
import { createBrowser } from '../../support/open-id/browser.ts'
import { addOpenIdDomain } from '../../support/open-id/domain.ts'
import { type Behaviour, startHostileProvider } from '../../support/open-id/hostile-provider.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const provider = await startHostileProvider()
const userinfo = { userinfo_endpoint: `${provider.issuer}/userinfo` }

/** Signs in through a domain of its own; gives the answer, and the user that it made. */
async function signIn(behaviour: Behaviour, more: Parameters<typeof addOpenIdDomain>[2] = {}, settings: object = {}) {
  provider.behaviour = behaviour
  const domain = await addOpenIdDomain(service, { Issuer: provider.issuer, ...settings }, more)
  const page = await createBrowser().visit(domain.entrance)
  const user = await service.db.selectFrom('app_user').selectAll().where('domain_id', '=', domain.id).executeTakeFirst()
  return { page, user, domain }
}

describe('the name of a user', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['is what its claim says', { preferred_username: '山田, T. 🦊' }, '山田, T. 🦊'],
    ['is the subject where the claim is absent', { preferred_username: undefined }, 'alice'],
    ['is the subject where the claim is empty', { preferred_username: '' }, 'alice'],
    ['is the subject where the claim is no text', { preferred_username: ['x'] }, 'alice'],
    ['is the subject where the claim has control characters', { preferred_username: 'x\u0000\r\n' }, 'alice'],
    ['is the subject where the claim is half a character', { preferred_username: '\ud83e' }, 'alice'],
    ['is the subject where the claim is too long', { preferred_username: 'x'.repeat(321) }, 'alice'],
  ])('%s', async (_case, claims, expected) => {
    const { page, user } = await signIn({ claims })
    expect([page.status, user?.user_name, user?.subject]).toEqual([200, expected, 'alice'])
  })

  test('comes from the claim that the settings name', async () => {
    const { user } = await signIn(
      { claims: { name: 'A. Liddell', mail: 'a@example.com' } },
      {},
      { UserNameClaim: 'name', EmailClaim: 'mail' },
    )
    expect(user).toMatchObject({ user_name: 'A. Liddell', email: 'a@example.com' })
  })
})

test.each([[undefined], [['a@example.com']], [{}], [7], ['a@example.com\n'], ['']])(
  'an e-mail address that is %j is none',
  async (email) => {
    expect((await signIn({ claims: { email } })).user?.email).toBe('')
  },
)

describe('the userinfo endpoint', () => {
  test('is asked for a claim that the ID token lacks', async () => {
    const { user } = await signIn({
      description: userinfo,
      claims: { email: undefined },
      userinfo: { preferred_username: 'Mallory' },
    })
    expect(user).toMatchObject({ email: 'userinfo@example.com', user_name: 'Alice' })
  })

  test('is asked for a claim that a rule looks at', async () => {
    const rules = [{ attribute: 'groups', value: 'staff', role: 'SiteAdmin' as const }]
    const { user } = await signIn({ description: userinfo, userinfo: { groups: ['staff'] } }, { rules })
    expect(await rolesOf(user?.id)).toEqual(['SiteAdmin'])
  })

  test('is left alone otherwise', async () => {
    provider.asked.length = 0
    expect((await signIn({ description: userinfo })).page.status).toBe(200)
    expect(provider.asked).toEqual(['/.well-known/openid-configuration', '/authorize', '/token', '/keys'])
  })

  test('that fails makes the provider unavailable', async () => {
    const at = { '/userinfo': failing }
    const { page, user } = await signIn({ description: userinfo, claims: { email: undefined }, at })
    expect([page.status, user]).toEqual([503, undefined])
  })
})

const failing: NonNullable<Behaviour['at']>[string] = (_request, response) => response.writeHead(502).end()

async function rolesOf(userId = '') {
  const found = await service.db.selectFrom('role_grant').select('role').where('user_id', '=', userId).execute()
  return found.map(({ role }) => role)
}

describe('rules', () => {
  const rule = (attribute: string, value: string) => ({ attribute, value, role: 'BusinessAdmin' as const })

  test.each<[Record<string, unknown>, ReturnType<typeof rule>, string[]]>([
    [{ groups: ['x', 'y'] }, rule('groups', 'y'), ['BusinessAdmin']],
    [{ department: 'x' }, rule('department', 'x'), ['BusinessAdmin']],
    [{ groups: 'xy' }, rule('groups', 'x'), []],
    [{ groups: ['X'] }, rule('groups', 'x'), []],
    [{ groups: [{ x: 'x' }, 7, null, 'x'] }, rule('groups', 'x'), ['BusinessAdmin']],
    [{ groups: { x: 'x' } }, rule('groups', 'x'), []],
    [{}, rule('constructor', 'x'), []],
    [{}, rule('__proto__', 'x'), []],
  ])('%j and %j give %j', async (claims, one, expected) => {
    const { page, user } = await signIn({ claims }, { rules: [one] })
    expect([page.status, await rolesOf(user?.id)]).toEqual([200, expected])
  })
})

test('nobody is added where the domain does not provision', async () => {
  const { page, user } = await signIn({}, { provisions: false })
  expect([page.status, user]).toEqual([401, undefined])
})

test('a disabled user is refused', async () => {
  const { user, domain } = await signIn({})
  await service.db
    .updateTable('app_user')
    .set({ enabled: false })
    .where('id', '=', user?.id ?? '')
    .execute()
  expect((await createBrowser().visit(domain.entrance)).status).toBe(401)
})

describe('the client proves itself', () => {
  const secret = 'with % and + and ä'
  const methods = (...names: string[]) => ({ description: { token_endpoint_auth_methods_supported: names } })

  test.each<[string, Behaviour]>([
    ['by default', {}],
    ['where the provider offers it', methods('client_secret_post', 'client_secret_basic')],
  ])('by basic authentication %s', async (_case, behaviour) => {
    expect((await signIn(behaviour, { secret })).page.status).toBe(200)
    const { authorization = '', form } = provider.tokenRequest ?? {}
    const pair = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()
    expect(pair).toBe(`platform:${new URLSearchParams({ '': secret }).toString().slice(1)}`)
    expect(form?.has('client_secret')).toBe(false)
    expect(form?.get('code_verifier')).toMatch(/^[\w-]{43}$/)
  })

  test('in the form where the provider offers that only', async () => {
    expect((await signIn(methods('client_secret_post'), { secret })).page.status).toBe(200)
    expect(provider.tokenRequest?.authorization).toBeUndefined()
    expect(provider.tokenRequest?.form.get('client_secret')).toBe(secret)
  })

  test('not at all without a secret', async () => {
    expect((await signIn({})).page.status).toBe(200)
    expect(provider.tokenRequest?.authorization).toBeUndefined()
    expect([...(provider.tokenRequest?.form.keys() ?? [])].sort()).toEqual(
      ['client_id', 'code', 'code_verifier', 'grant_type', 'redirect_uri'].sort(),
    )
  })

  test('in no way that is not known here', async () => {
    expect((await signIn(methods('private_key_jwt'), { secret })).page.status).toBe(503)
  })
})

test('a provider describes itself once for many sign-ins', async () => {
  const { domain } = await signIn({})
  provider.asked.length = 0
  for (let n = 0; n < 3; n++) expect((await createBrowser().visit(domain.entrance)).status).toBe(200)
  expect(provider.asked).toEqual(Array(3).fill(['/authorize', '/token']).flat())
})

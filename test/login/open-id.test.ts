import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openId } from '../../src/login/ways/open-id.ts'
import { type Browser, createBrowser } from '../support/browser.ts'
import { addOpenIdDomain, redirectUri } from '../support/open-id-domain.ts'
import { clientSecret, startProvider } from '../support/open-id-provider.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const [id, otherId, strictId] = [randomUUID(), randomUUID(), randomUUID()]
const provider = await startProvider([id, otherId, strictId].map((one) => redirectUri(service, one)))
const domain = await addOpenIdDomain(
  service,
  { Issuer: provider.issuer },
  { id, secret: clientSecret, rules: [{ attribute: 'groups', value: 'publishers', role: 'BusinessAdmin' }] },
)
const another = await addOpenIdDomain(service, { Issuer: provider.issuer }, { id: otherId, secret: clientSecret })

const alice = { sub: 'alice', preferred_username: 'Alice', email: 'alice@example.com', groups: ['publishers', 'x'] }
provider.person = alice

const isOurs = (next: URL) => next.origin === service.url
const statusOf = (browser: Browser) => browser.client(service.url).get('/api/login/status')
const usersOf = (domainId: string) =>
  service.db.selectFrom('app_user').selectAll().where('domain_id', '=', domainId).orderBy('created').execute()

/** Begins to sign in, and stops before the browser comes back; gives the address that it would come to. */
async function comeBack(browser: Browser, entrance = domain.entrance): Promise<URL> {
  const page = await browser.visit(entrance, isOurs)
  return new URL(page.headers.location as string)
}

describe('a person who signs in', () => {
  test('is sent to the provider with all that keeps the answer theirs, and comes back to an address of the domain', async () => {
    const { status, headers } = await createBrowser().open(domain.entrance)
    expect(status).toBe(302)
    const address = new URL(headers.location as string)
    const query = Object.fromEntries(address.searchParams)
    expect(address.href).toMatch(`${provider.issuer}/auth?`)
    expect(query).toEqual({
      client_id: 'platform',
      response_type: 'code',
      redirect_uri: domain.entrance,
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(new Set([query.state, query.nonce, query.code_challenge]).size).toBe(3)
  })

  test('becomes a user of the domain, with the name, address and roles that the provider tells', async () => {
    const browser = createBrowser()
    const page = await browser.visit(domain.entrance)
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain('signed in as Alice')
    const { json } = await statusOf(browser)
    expect(json).toMatchObject({ userName: 'Alice', loginDomainId: `${id}.platform` })
    const [user] = await usersOf(id)
    expect(user).toMatchObject({ issuer: provider.issuer, subject: 'alice', email: 'alice@example.com' })
    expect(json.userFDN).toBe(`${user?.id}.platform`)
    const roles = await service.db
      .selectFrom('role_grant')
      .selectAll()
      .where('user_id', '=', user?.id ?? '')
      .execute()
    expect(roles).toEqual([{ user_id: user?.id, role: 'BusinessAdmin', by_rule: true }])
  })

  test('is the same user the next time, with the name and address of that day', async () => {
    const [before] = await usersOf(id)
    provider.person = { ...alice, preferred_username: 'Alice B.', email: 'b@example.com' }
    await createBrowser().visit(domain.entrance)
    expect(await usersOf(id)).toMatchObject([{ id: before?.id, user_name: 'Alice B.', email: 'b@example.com' }])
    provider.person = alice
  })

  test('is another user than one of the same address, of the same name elsewhere, or of a subject in capitals', async () => {
    const signIn = async (entrance: string, sub: string) => {
      provider.person = { ...alice, sub }
      const browser = createBrowser()
      await browser.visit(entrance)
      return (await statusOf(browser)).json.userFDN
    }
    const admin = (await service.client().signIn(service.config.adminEmail, 'correct horse battery staple')).json
    await service.db
      .updateTable('app_user')
      .set({ email: alice.email })
      .where('id', '=', admin.userFDN.slice(0, 36))
      .execute()
    const elsewhere = await startProvider([redirectUri(service, strictId)])
    elsewhere.person = alice
    const strict = await addOpenIdDomain(service, { Issuer: elsewhere.issuer }, { id: strictId, secret: clientSecret })
    const ids = [
      admin.userFDN,
      await signIn(domain.entrance, 'alice'),
      await signIn(domain.entrance, 'bob'),
      await signIn(domain.entrance, 'ALICE'),
      await signIn(another.entrance, 'alice'),
      await signIn(strict.entrance, 'alice'),
    ]
    expect(new Set(ids).size).toBe(ids.length)

    // The same subject, after the domain has been moved to another provider; that counts at once.
    const settings = { ...(await settingsOf(strictId)), Issuer: provider.issuer }
    await service.db
      .updateTable('login_domain')
      .set({ settings: JSON.stringify(settings) })
      .where('id', '=', strictId)
      .execute()
    const moved = await signIn(strict.entrance, 'alice')
    expect(moved).toMatch(/platform$/)
    expect(ids).not.toContain(moved)
    provider.person = alice
  })

  test('goes on to where they wanted to', async () => {
    const finalUrl = `${service.url}/somewhere?else=1`
    const page = await createBrowser().visit(
      `${domain.entrance}?finalUrl=${encodeURIComponent(finalUrl)}`,
      ({ pathname }) => pathname === '/somewhere',
    )
    expect([page.status, page.headers.location]).toEqual([302, finalUrl])
  })

  test('but says no at the provider is refused, and nothing of the way back is left', async () => {
    provider.denies = true
    const browser = createBrowser()
    const page = await browser.visit(domain.entrance)
    provider.denies = false
    expect([page.status, page.json.faultstring]).toEqual([401, 'The provider refused to sign you in (access_denied).'])
    expect([...browser.client(service.url).cookies.keys()]).toEqual([])
    expect((await browser.open(page.at)).status).toBe(401)
  })
})

async function settingsOf(domainId: string): Promise<object> {
  const { settings } = await service.db
    .selectFrom('login_domain')
    .select('settings')
    .where('id', '=', domainId)
    .executeTakeFirstOrThrow()
  return settings
}

describe('the way back', () => {
  const refusal = 'This browser has no such sign-in under way: begin again.'

  async function expectRefused(browser: Browser, address: URL, reason = refusal) {
    const page = await browser.open(address)
    expect([page.status, page.json.faultstring]).toEqual([401, reason])
    expect((await statusOf(browser)).status).toBe(401)
  }

  test('is open to the browser that began, whose cookie goes with it', async () => {
    const browser = createBrowser()
    const begun = await browser.open(domain.entrance)
    const state = new URL(begun.headers.location as string).searchParams.get('state') ?? ''
    expect(begun.headers['set-cookie']?.map((line) => line.split('; ').sort())).toEqual([
      ['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax', expect.stringContaining(`sign-in-${state.slice(0, 8)}=`)],
    ])
    const page = await browser.visit(begun.headers.location as string)
    expect(page.status).toBe(200)
    expect([...browser.client(service.url).cookies.keys()].sort()).toEqual([
      'Csrf-Token_platform',
      'PlatformAuthToken_platform',
    ])
  })

  test('carries a cookie that no other host can plant, where the public address is https', async () => {
    const behindTls = await startService({ PUBLIC_URL: 'https://apis.example.com' }, service.connection)
    const { headers } = await behindTls.client().get(`/api/login/ssoLogin/${id}`)
    expect(headers['set-cookie']?.[0]).toMatch(/^__Host-sign-in-[\w-]{8}=.*; Secure/)
    expect(new URL(headers.location as string).searchParams.get('redirect_uri')).toMatch(
      /^https:\/\/apis\.example\.com\//,
    )
  })

  test('is closed without the cookie, and with that of another browser', async () => {
    const [mine, theirs] = [createBrowser(), createBrowser()]
    const address = await comeBack(mine)
    await comeBack(theirs)
    await expectRefused(createBrowser(), address)
    await expectRefused(theirs, address)
    const [name, value] = [...theirs.client(service.url).cookies][0] ?? []
    const forged = createBrowser()
    forged.client(service.url).cookies.set(`sign-in-${address.searchParams.get('state')?.slice(0, 8)}`, value ?? '')
    await expectRefused(forged, address)
    expect(name).toMatch(/^sign-in-/)
    expect((await mine.open(address)).status).toBe(200)
  })

  test('is closed after ten minutes', async () => {
    const browser = createBrowser()
    const address = await comeBack(browser)
    const age = (seconds: number) =>
      service.db
        .updateTable('sign_in_flow')
        .set({ started: new Date(Date.now() - seconds * 1000) })
        .where('state', '=', address.searchParams.get('state') ?? '')
        .execute()
    await age(601)
    await expectRefused(browser, address)
    await age(590)
    expect((await browser.open(address)).status).toBe(200)
  })

  test('what nobody came back from is removed as others begin', async () => {
    const address = await comeBack(createBrowser())
    const state = address.searchParams.get('state') ?? ''
    const flow = service.db.selectFrom('sign_in_flow').selectAll().where('state', '=', state)
    expect(await flow.execute()).toHaveLength(1)
    await service.db
      .updateTable('sign_in_flow')
      .set({ started: new Date(0) })
      .where('state', '=', state)
      .execute()
    await comeBack(createBrowser())
    expect(await flow.execute()).toEqual([])
  })

  test('is closed after it was used, also by eight requests at once', async () => {
    const browser = createBrowser()
    const address = await comeBack(browser)
    const cookie = [...browser.client(service.url).cookies].map((pair) => pair.join('=')).join('; ')
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => service.client().get(address.pathname + address.search, { cookie })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
    expect((await service.client().get(address.pathname + address.search, { cookie })).status).toBe(401)
  })

  test('of one domain is not that of another', async () => {
    const browser = createBrowser()
    const address = await comeBack(browser)
    await expectRefused(browser, new URL(another.entrance + address.search))
    expect((await browser.open(address)).status).toBe(200)
  })

  test('takes no code of another sign-in, be it used or not', async () => {
    const victim = createBrowser()
    const address = await comeBack(victim)
    const stolen = address.searchParams.get('code') ?? ''
    const inject = async () => {
      const thief = createBrowser()
      const own = await comeBack(thief)
      own.searchParams.set('code', stolen)
      await expectRefused(thief, own, 'The provider refused this sign-in (invalid_grant).')
    }
    await inject()
    const used = createBrowser()
    const first = await comeBack(used)
    expect((await used.open(first)).status).toBe(200)
    const second = await comeBack(used)
    second.searchParams.set('code', first.searchParams.get('code') ?? '')
    expect((await used.open(second)).status).toBe(401)
  })

  test('is open to two tabs of one browser, in either order', async () => {
    const browser = createBrowser()
    const [first, second] = [await comeBack(browser), await comeBack(browser, another.entrance)]
    expect((await browser.open(second)).status).toBe(200)
    expect((await browser.open(first)).status).toBe(200)
  })
})

describe('trying the settings', () => {
  const settings = { ClientId: 'platform', Scope: 'openid', UserNameClaim: 'name', EmailClaim: 'email' }
  const tryWith = (more: object, secret: string | undefined = clientSecret) =>
    openId.test({ id, settings: { ...settings, Issuer: provider.issuer, ...more }, secret })

  test('says of each step that it went well', async () => {
    expect(await tryWith({})).toEqual([
      { step: 'Read the discovery document' },
      { step: 'Compare the issuer' },
      { step: 'Find the endpoints' },
      { step: 'Compare what both can do' },
      { step: 'Read the keys' },
      { step: 'Sign in as the client' },
    ])
  })

  test.each<[object, string | undefined, number, RegExp]>([
    [{ Issuer: 'http://127.0.0.1:9' }, clientSecret, 1, /ECONNREFUSED/],
    [{ Issuer: provider.issuer.replace('127.0.0.1', 'localhost') }, clientSecret, 2, /calls itself/],
    [{ ClientId: 'somebody else' }, clientSecret, 6, /does not accept ClientId and secret \(invalid_client\)/],
    [{}, 'another secret', 6, /does not accept ClientId and secret \(invalid_client\)/],
  ])('stops at the first that fails: %j', async (more, secret, count, failure) => {
    const steps = await tryWith(more, secret)
    expect(steps).toHaveLength(count)
    expect(steps.at(-1)?.failure).toMatch(failure)
    expect(JSON.stringify(steps)).not.toContain(clientSecret)
  })
})

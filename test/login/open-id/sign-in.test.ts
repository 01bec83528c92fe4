import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Browser, createBrowser } from '../../support/open-id/browser.ts'
import { addOpenIdDomain, redirectUri } from '../../support/open-id/domain.ts'
import { clientSecret, startProvider } from '../../support/open-id/provider.ts'
import { startService } from '../../support/service.ts'

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

const statusOf = (browser: Browser) => browser.client(service.url).get('/api/login/status')
const usersOf = (domainId: string) =>
  service.db.selectFrom('app_user').selectAll().where('domain_id', '=', domainId).orderBy('created').execute()

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
    expect([page.at.pathname, page.at.search]).toEqual(['/api/login/signedIn', ''])
    expect(page.text).toContain('signed in as <strong>Alice</strong>')
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

  test.each([
    ['another name', { preferred_username: 'Alice C.' }, true],
    ['another address', { email: 'c@example.com' }, true],
    ['nothing new', { groups: ['publishers'] }, false],
  ])(
    'has been changed by a sign-in that brings another name or address, and by no other: %s',
    async (_what, claims, isChanged) => {
      provider.person = alice
      await createBrowser().visit(domain.entrance)
      const [before] = await usersOf(id)
      provider.person = { ...alice, ...claims }
      await createBrowser().visit(domain.entrance)
      const [after] = await usersOf(id)
      expect(after?.created).toEqual(before?.created)
      expect(Math.sign(Number(after?.updated) - Number(before?.updated))).toBe(isChanged ? 1 : 0)
      provider.person = alice
    },
  )

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

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { type Browser, createBrowser } from '../../support/open-id/browser.ts'
import { addOpenIdDomain, redirectUri } from '../../support/open-id/domain.ts'
import { clientSecret, startProvider } from '../../support/open-id/provider.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const strict = await startService({ COOKIE_SAME_SITE: 'Strict' }, service.connection)
const [id, otherId] = [randomUUID(), randomUUID()]
const provider = await startProvider([
  ...[id, otherId].map((one) => redirectUri(service, one)),
  redirectUri(strict, id),
])
const domain = await addOpenIdDomain(service, { Issuer: provider.issuer }, { id, secret: clientSecret })
const another = await addOpenIdDomain(service, { Issuer: provider.issuer }, { id: otherId, secret: clientSecret })
provider.person = { sub: 'alice' }
await service.db.updateTable('login_domain').set({ serves_oauth: true }).where('id', '=', id).execute()

const isOurs = (next: URL) => next.origin === service.url
const statusOf = (browser: Browser) => browser.client(service.url).get('/api/login/status')

/** Begins to sign in, and stops before the browser comes back; gives the address that it would come to. */
async function comeBack(browser: Browser, entrance = domain.entrance): Promise<URL> {
  const page = await browser.visit(entrance, isOurs)
  return new URL(page.headers.location as string)
}

test('a request that tells no host begins no sign-in: nobody could come back', async () => {
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1' })
  socket.write(`GET /api/login/ssoLogin/${id} HTTP/1.0\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 [\s\S]*A Host header is needed/)
})

test('an address may begin ten times as often in a minute as it may fail, and no more', async () => {
  const few = await startService({ LOGIN_ADDRESS_PER_MINUTE: '1' }, service.connection)
  await service.db.deleteFrom('sign_in_throttle').execute()
  const flows = async () => (await service.db.selectFrom('sign_in_flow').select('id').execute()).length
  const before = await flows()
  const begin = () => few.client().get(`/api/login/ssoLogin/${id}`)
  for (let n = 0; n < 10; n++) expect((await begin()).status).toBe(302)
  const refused = await begin()
  expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
  expect(await flows()).toBe(before + 10)

  await sql`update sign_in_throttle set window_started = window_started - interval '1 minute'`.execute(service.db)
  expect((await begin()).status).toBe(302)
})

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

  test('is open to the ten sign-ins that a browser began last', async () => {
    const browser = createBrowser()
    const began: URL[] = []
    for (let n = 0; n < 12; n++) began.push(await comeBack(browser))
    expect(browser.client(service.url).cookies.size).toBe(10)
    await expectRefused(browser, began[1] as URL)
    expect((await browser.visit(began[2] as URL)).status).toBe(200)
  })

  test('carries a cookie that no other host can plant, where the public address is https', async () => {
    const settings = { PUBLIC_URL: 'https://apis.example.com', OAUTH_URL: 'http://oauth.example.com' }
    const behindTls = await startService(settings, service.connection)
    const { headers } = await behindTls.client().get(`/api/login/ssoLogin/${id}`)
    expect(headers['set-cookie']?.[0]).toMatch(/^__Host-sign-in-[\w-]{8}=.*; Secure/)
    expect(new URL(headers.location as string).searchParams.get('redirect_uri')).toMatch(
      /^https:\/\/apis\.example\.com\//,
    )
    const oauth = await behindTls.client().get(`/oauth/login/ssoLogin/${id}`)
    expect(oauth.headers['set-cookie']?.[0]).toMatch(/^sign-in-[\w-]{8}=((?!Secure).)*$/)
  })

  test('is open with SameSite=Strict too; the new cookie is for the next page that this site itself leads to', async () => {
    const browser = createBrowser()
    const begun = await browser.visit(`${strict.url}/api/login/ssoLogin/${id}`, ({ origin }) => origin === strict.url)
    // This one a browser sends along from another site.
    expect((await browser.open(`${strict.url}/api/login/ssoLogin/${id}`)).headers['set-cookie']?.[0]).toContain('Lax')
    const back = await browser.open(begun.headers.location as string)
    const page = '/api/login/signedIn'
    expect([back.status, back.headers.location]).toEqual([302, page])
    const kept = back.headers['set-cookie']?.filter((line) => !line.startsWith('sign-in-')) ?? []
    expect(kept.map((line) => /SameSite=\w+/.exec(line)?.[0])).toEqual(['SameSite=Strict', 'SameSite=Strict'])
    // What a browser does that comes from elsewhere, and what it does at the next click.
    expect((await strict.client().get(page)).status).toBe(401)
    expect((await browser.client(strict.url).get(page)).status).toBe(200)
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
    expect((await mine.open(address)).status).toBe(302)
  })

  test('is no way in: whoever brings a code, an error or a state that nobody asked for begins nothing', async () => {
    for (const query of ['code=x', 'error=access_denied', 'code=x&state=', 'state=x']) {
      const page = await createBrowser().open(`${domain.entrance}?${query}`)
      expect([page.status, page.json.faultstring, page.headers['set-cookie']]).toEqual([401, refusal, undefined])
    }
  })

  test('leaves a line in the log when it is closed, without code and state', async () => {
    const lines: unknown[] = []
    const original = service.app.log.child as (...given: unknown[]) => { info: unknown }
    const child = vi.spyOn(service.app.log, 'child')
    child.mockImplementation(((...given: unknown[]) =>
      Object.assign(original.apply(service.app.log, given), {
        info: (...line: unknown[]) => lines.push(line),
      })) as never)
    await createBrowser().open(`${domain.entrance}?code=a-code&state=${'s'.repeat(43)}`)
    child.mockRestore()
    expect(lines).toContainEqual([{ address: '127.0.0.1', domain: id, reason: refusal }, 'sign-in refused'])
    expect(JSON.stringify(lines)).not.toMatch(/a-code|ssss/)
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
    expect((await browser.open(address)).status).toBe(302)
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
    expect(answers.map(({ status }) => status).sort()).toEqual([302, ...Array(7).fill(401)])
    expect((await service.client().get(address.pathname + address.search, { cookie })).status).toBe(401)
  })

  test('of one domain is not that of another', async () => {
    const browser = createBrowser()
    const address = await comeBack(browser)
    await expectRefused(browser, new URL(another.entrance + address.search))
    expect((await browser.open(address)).status).toBe(302)
  })

  test('of the main interface is not that of the OAuth login service', async () => {
    const browser = createBrowser()
    const address = await comeBack(browser)
    await expectRefused(browser, new URL(`/oauth/login/ssoLogin/${id}${address.search}`, service.url))
    expect((await browser.open(address)).status).toBe(302)
  })

  test('is closed when the cookie comes twice', async () => {
    const browser = createBrowser()
    const address = await comeBack(browser)
    const [[name, value] = []] = browser.client(service.url).cookies
    const cookie = `${name}=${value}; ${name}=${value}`
    expect((await service.client().get(address.pathname + address.search, { cookie })).status).toBe(401)
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
    expect((await used.open(first)).status).toBe(302)
    const second = await comeBack(used)
    second.searchParams.set('code', first.searchParams.get('code') ?? '')
    expect((await used.open(second)).status).toBe(401)
  })

  test('is open to two tabs of one browser, in either order', async () => {
    const browser = createBrowser()
    const [first, second] = [await comeBack(browser), await comeBack(browser, another.entrance)]
    expect((await browser.open(second)).status).toBe(302)
    expect((await browser.open(first)).status).toBe(302)
  })
})

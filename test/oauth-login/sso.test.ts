import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Answer, type Client, setCookies } from '../support/client.ts'
import { startDirectory } from '../support/directory/directory.ts'
import { addDirectoryDomain } from '../support/directory/domain.ts'
import { passwordOf } from '../support/directory/seeds.ts'
import { oauthCookie, sendForm, tokenMembers, tokenOf } from '../support/oauth.ts'
import { createBrowser } from '../support/open-id/browser.ts'
import { addOpenIdDomain } from '../support/open-id/domain.ts'
import { clientSecret, startProvider } from '../support/open-id/provider.ts'
import { adminEmail, adminPassword, startService } from '../support/service.ts'

const service = await startService({ FINAL_URL_HOSTS: 'app.example.com' })
const path = '/oauth/login/ssoLogin'
const directory = await startDirectory('ldapjs')
const addDirectory = () => addDirectoryDomain(service, { settings: { Url: `ldap://127.0.0.1:${directory.port}` } })
const change = (id: string, values: object) =>
  service.db.updateTable('login_domain').set(values).where('id', '=', id).execute()

const staff = await addDirectory()
const [mainOnly, disabled] = [await addDirectory(), await addDirectory()]
await change(staff, { serves_oauth: true, domain_name: 'Staff' })
await change(disabled, { serves_oauth: true, enabled: false })

const id = randomUUID()
const provider = await startProvider([`${service.url}${path}/${id}`])
await addOpenIdDomain(service, { Issuer: provider.issuer }, { id, secret: clientSecret })
await change(id, { serves_oauth: true })
provider.person = { sub: 'bob', preferred_username: 'Bob' }

const alice = { identity_username: 'alice', secret_password: passwordOf('alice') }
/** The two ways to send the fields of a form. */
const senders: [string, (client: Client, fields: Record<string, string>) => Promise<Answer>][] = [
  ['POST', (client, fields) => sendForm(client, path, fields)],
  ['GET', (client, fields) => client.get(`${path}?${new URLSearchParams(fields)}`)],
]
const cookiesOf = (answer: Answer) => setCookies(answer).map(([name]) => name)

describe.each(senders)('through a directory by %s', (_method, send) => {
  test('a name and a password send on to the page that says who it is, and set the one cookie', async () => {
    for (const Domain of ['staff', staff, `${staff}.platform`]) {
      const client = service.client()
      const answer = await send(client, { ...alice, Domain })
      expect([answer.status, answer.headers.location]).toEqual([302, '/oauth/login/'])
      expect(cookiesOf(answer)).toEqual([oauthCookie])
      for (const [name, value] of setCookies(answer)) client.cookies.set(name, value)
      expect((await client.get('/oauth/login/')).text).toContain('signed in as <strong>alice</strong>')
    }
  })

  test('finalUrl is where the browser goes then, with the cookie', async () => {
    const answer = await send(service.client(), {
      ...alice,
      Domain: 'Staff',
      finalUrl: 'https://app.example.com/in?a=1',
    })
    expect([answer.status, answer.headers.location]).toEqual([302, 'https://app.example.com/in?a=1'])
    expect(cookiesOf(answer)).toEqual([oauthCookie])
  })

  test.each<[string, Record<string, string>, number, string]>([
    ['a wrong password', { ...alice, secret_password: 'x', Domain: staff }, 401, 'user name or the password is wrong'],
    ['an empty password', { ...alice, secret_password: '', Domain: staff }, 401, 'user name or the password is wrong'],
    ['no password', { identity_username: 'alice', Domain: staff }, 400, 'identity_username and secret_password'],
    ['no domain', alice, 400, 'Domain is missing'],
    ['an unknown domain', { ...alice, Domain: 'none' }, 404, 'There is no login domain "none"'],
    ['the built-in domain', { ...alice, Domain: 'siteusers' }, 401, 'sign in with a password'],
    ['a disabled domain', { ...alice, Domain: disabled }, 401, 'is disabled'],
    ['a domain without OAuthEnabled', { ...alice, Domain: mainOnly }, 401, 'to the OAuth provider is not enabled'],
    ['a finalUrl elsewhere', { ...alice, Domain: staff, finalUrl: 'https://evil.test/' }, 400, 'finalUrl must be'],
    [
      'and a domain without SSO',
      { ...alice, Domain: 'siteusers', finalUrl: 'https://evil.test/' },
      400,
      'finalUrl must be',
    ],
    ['and an unknown domain', { ...alice, Domain: 'nope', finalUrl: '//evil.test/' }, 400, 'finalUrl must be'],
  ])('%s is refused, without a cookie', async (_what, fields, status, text) => {
    const answer = await send(service.client(), fields)
    expect([answer.status, answer.json.faultstring]).toEqual([status, expect.stringContaining(text)])
    expect(answer.headers['set-cookie']).toBeUndefined()
  })
})

test('sessions are good only while their domain serves the service', async () => {
  const served = await addDirectory()
  await change(served, { serves_oauth: true })
  const [client, main] = [service.client(), service.client()]
  await sendForm(client, path, { ...alice, Domain: served })
  await sendForm(main, `/api/login/ssoLogin/${served}`, alice)
  for (const [serves_oauth, status] of [
    [false, 401],
    [true, 200],
  ] as const) {
    await change(served, { serves_oauth })
    expect((await client.get('/oauth/login/renewToken')).status).toBe(status)
    expect((await main.get('/api/login/status')).status).toBe(200)
  }
})

test('a finalUrl elsewhere is refused before the directory is asked', async () => {
  const before = await failures()
  const fields = { ...alice, secret_password: 'x', Domain: staff, finalUrl: '//evil.test' }
  expect((await sendForm(service.client(), path, fields)).status).toBe(400)
  expect(await failures()).toEqual(before)
})

test('a browser that is refused sees why, and carries on no finalUrl that is not allowed', async () => {
  const accept = { accept: 'text/html,*/*;q=0.8' }
  const wrong = { ...alice, secret_password: 'x', Domain: staff }
  const kept = await sendForm(service.client(), path, { ...wrong, finalUrl: '/next' }, accept)
  expect([kept.status, kept.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8'])
  expect(kept.text).toContain('/next')
  for (const finalUrl of ['https://evil.test/', 'javascript:alert(1)']) {
    const dropped = await sendForm(service.client(), path, { ...wrong, finalUrl }, accept)
    expect(dropped.status).toBe(400)
    expect(dropped.text).not.toMatch(/evil\.test|alert\(/)
  }
})

test('a browser sees the page as well while its login domain does not answer', async () => {
  const [away, gone] = [randomUUID(), await addDirectoryDomain(service, { settings: { Url: 'ldap://127.0.0.1:1' } })]
  await addOpenIdDomain(service, { Issuer: 'http://127.0.0.1:1' }, { id: away })
  for (const domain of [away, gone]) await change(domain, { serves_oauth: true })
  const accept = { accept: 'text/html,*/*;q=0.8' }
  for (const answer of [
    await service.client().get(`${path}?Domain=${away}&finalUrl=/next`, accept),
    await sendForm(service.client(), path, { ...alice, Domain: gone, finalUrl: '/next' }, accept),
  ]) {
    expect([answer.status, answer.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
    expect(answer.headers['retry-after']).toBe('1')
    expect(answer.text).toMatch(/<p role="alert">The (provider|directory) .+<\/p>/)
    expect(answer.text).toContain(`value="${service.url}/next"`)
  }
})

describe.each([{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }])(
  'from a page with %j',
  (headers) => {
    test('nobody is signed in, by form or link, on either interface', async () => {
      const query = new URLSearchParams(alice)
      const answers = [
        await sendForm(service.client(), path, { ...alice, Domain: staff }, headers),
        await sendForm(service.client(), `/api/login/ssoLogin/${staff}`, alice, headers),
        await service.client().get(`${path}?${query}&Domain=${staff}`, headers),
        await service.client().get(`${path}/${staff}?${query}`, headers),
        await service.client().get(`/api/login/ssoLogin?${query}&domain=${staff}`, headers),
        await service.client().get(`/api/login/ssoLogin/${staff}?${query}`, headers),
      ]
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401))
      expect(answers.flatMap(setCookies)).toEqual([])
    })

    test('a link may begin a visit to a provider', async () => {
      for (const address of [`${path}?Domain=${id}`, `/api/login/ssoLogin/${id}`]) {
        const answer = await service.client().get(address, headers)
        expect([answer.status, answer.headers.location]).toEqual([302, expect.stringMatching(`^${provider.issuer}/`)])
      }
    })
  },
)

test('what the form lacks may stand in the query, and an address alone may begin a visit', async () => {
  const { Domain, ...fields } = { ...alice, Domain: staff }
  const answer = await sendForm(service.client(), `${path}?${new URLSearchParams({ Domain })}`, fields)
  expect([answer.status, cookiesOf(answer)]).toEqual([302, [oauthCookie]])
  for (const body of [undefined, '']) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
    const visit = await service.client().send('POST', `${path}?Domain=${id}`, { headers, ...(body === '' && { body }) })
    expect([visit.status, visit.headers.location]).toEqual([302, expect.stringMatching(`^${provider.issuer}/`)])
  }
})

test('a link that no page of another site sent may bring a name and a password', async () => {
  for (const from of ['same-origin', 'none']) {
    const query = new URLSearchParams({ ...alice, Domain: staff })
    expect((await service.client().get(`${path}?${query}`, { 'sec-fetch-site': from })).status).toBe(302)
  }
})

describe('where the public address is https', async () => {
  const settings = { PUBLIC_URL: 'https://apis.example.com', OAUTH_URL: 'https://oauth.example.com' }
  const behindTls = await startService(settings, service.connection)
  const toHost = (host: string) => ({ host, origin: `http://${host}` })

  test('a page of the same host that came over http signs nobody in', async () => {
    const login = { email: adminEmail, password: adminPassword }
    for (const host of ['apis.example.com', 'oauth.example.com']) {
      const answers = [
        await behindTls.client().post('/api/login', login, toHost(host)),
        await sendForm(behindTls.client(), path, { ...alice, Domain: staff }, toHost(host)),
      ]
      expect(answers.map(({ status }) => status)).toEqual([401, 401])
    }
  })

  test('nobody is sent to the same host over http', async () => {
    const status = async (finalUrl: string) =>
      (await sendForm(behindTls.client(), path, { ...alice, Domain: staff, finalUrl })).status
    expect(await status('http://oauth.example.com/')).toBe(400)
    expect(await status('https://oauth.example.com/')).toBe(302)
    expect(await status('/')).toBe(302)
  })
})

describe('through a provider', () => {
  const entrance = `${service.url}${path}?Domain=${id}`

  test('the browser comes back to an address of the domain, and sees a page whose address has no code', async () => {
    const browser = createBrowser()
    const page = await browser.visit(entrance)
    expect([page.status, page.at.href]).toEqual([200, `${service.url}/oauth/login/`])
    expect(page.text).toContain('You are signed in as <strong>Bob</strong>')
    expect([...browser.client(service.url).cookies.keys()]).toEqual([oauthCookie])
    expect((await browser.client(service.url).get('/oauth/login/renewToken')).json).toEqual({
      DomainName: `provider-${id}`,
      UserName: 'Bob',
    })
  })

  test('finalUrl is where the browser goes at the end, with the cookie', async () => {
    const finalUrl = 'https://app.example.com/in'
    const isThere = ({ host }: URL) => host === 'app.example.com'
    const page = await createBrowser().visit(`${entrance}&finalUrl=${encodeURIComponent(finalUrl)}`, isThere)
    expect([page.status, page.headers.location]).toEqual([302, finalUrl])
    expect(cookiesOf(page)).toContain(oauthCookie)
  })

  test('a form begins the visit as well', async () => {
    const answer = await sendForm(service.client(), path, { Domain: id })
    expect([answer.status, answer.headers.location]).toEqual([302, expect.stringMatching(`^${provider.issuer}/`)])
  })

  test('a finalUrl elsewhere is refused before the visit begins', async () => {
    const answer = await service.client().get(`${path}?Domain=${id}&finalUrl=https://evil.test`)
    expect([answer.status, answer.headers['set-cookie']]).toEqual([400, undefined])
  })

  test('a name that holds what divides the token stays a name', async () => {
    provider.person = { sub: 'eve', preferred_username: 'Eve,UserFDN=admin.platform,x=100%' }
    const browser = createBrowser()
    await browser.visit(entrance)
    const members = tokenOf(browser.client(service.url))
    expect(members.map(([name]) => name)).toEqual(tokenMembers)
    expect(Object.fromEntries(members).UserName).toBe('Eve%2CUserFDN%3Dadmin.platform%2Cx%3D100%25')
    expect((await browser.client(service.url).get('/oauth/login/renewToken')).json.UserName).toBe(
      'Eve,UserFDN=admin.platform,x=100%',
    )
  })
})

function failures() {
  return service.db.selectFrom('sign_in_throttle').select(['subject', 'failures']).orderBy('subject').execute()
}

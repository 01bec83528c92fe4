import { expect, test } from 'vitest'
import { sendForm } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const person = await service.person()
const path = '/oauth/login'
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

const domains: { id: string; sequence: number; title: string; more?: object }[] = [
  { id: 'second', sequence: 7, title: 'Second & <last>', more: { kind: 'oidc', display_mode: 'POPUP' } },
  { id: 'first', sequence: 3, title: 'First' },
  { id: 'off', sequence: 4, title: 'Disabled', more: { enabled: false } },
  { id: 'mainonly', sequence: 5, title: 'Main only', more: { serves_oauth: false } },
  { id: 'hosted', sequence: 6, title: 'Of another host', more: { virtual_hosts: ['other.example.com'] } },
]
for (const { id, sequence, title, more } of domains) {
  const row = {
    id,
    sequence,
    title,
    kind: 'ldap',
    domain_name: id,
    display_mode: null,
    serves_oauth: true,
    secret: null,
  }
  await service.db
    .insertInto('login_domain')
    .values({ ...row, ...more } as never)
    .execute()
}

test.each([path, `${path}/`])('GET %s lists the enabled login domains of the host by Sequence', async (url) => {
  const { status, headers, text } = await service.client().get(url, browser)
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect([...text.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, title]) => title)).toEqual([
    'Site Users',
    'First',
    'Second &#38; &#60;last&#62;',
  ])
})

test('the page needs nothing from elsewhere, and nothing else may run in it', async () => {
  const { headers, text } = await service.client().get(path, browser)
  expect(text).not.toMatch(/(src|href)="?(https?:)?\/\//)
  const policy = String(headers['content-security-policy'])
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; base-uri 'none'; frame-ancestors 'none'$/,
  )
})

test('a directory has a form of its own, a provider a link, which opens a pop-up where DisplayMode says so', async () => {
  const { text } = await service.client().get(`${path}?finalUrl=/next%3Fa=1%26b`, browser)
  expect(text).toContain(
    '<form method="post" action="/oauth/login/ssoLogin"><input type="hidden" name="Domain" value="first">',
  )
  expect(text).toContain('<input type="hidden" name="finalUrl" value="http')
  expect(text).toContain('/next?a=1&#38;b">')
  expect(text).toContain('href="/oauth/login/ssoLogin?Domain=second" data-popup="http')
})

test.each(['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)'])(
  'finalUrl %s is refused',
  async (target) => {
    const { status } = await service.client().get(`${path}?${new URLSearchParams({ finalUrl: target })}`, browser)
    expect(status).toBe(400)
  },
)

test('a browser that fails sees the page again with the reason, and keeps where it was going', async () => {
  const fields = { identity_username: person.email, secret_password: 'wrong', finalUrl: '/next' }
  const answer = await sendForm(service.client(), path, fields, browser)
  expect(answer.status).toBe(401)
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(answer.text).toContain('<p role="alert">The user name, the e-mail address or the password is wrong.</p>')
  expect(answer.text).toContain(`name="finalUrl" value="${service.url}/next"`)
  expect(answer.headers['set-cookie']).toBeUndefined()
})

test('a browser that signs in goes where it was going, or sees that it is signed in', async () => {
  const fields = { identity_username: person.email, secret_password: person.password }
  const onward = await sendForm(service.client(), path, { ...fields, finalUrl: '/next?a=1' }, browser)
  expect([onward.status, onward.headers.location]).toEqual([302, `${service.url}/next?a=1`])
  expect(onward.headers['content-type']).toBeUndefined()
  const client = service.client()
  const landed = await sendForm(client, path, fields, browser)
  expect([landed.status, landed.headers.location]).toEqual([302, `${path}/`])
  const page = await client.get(`${path}/`, browser)
  expect(page.status).toBe(200)
  expect(page.text).toContain(`You are signed in as <strong>${person.email}</strong>`)
  expect((await client.get(path, browser)).text).toContain('href="/oauth/login/logout"')
})

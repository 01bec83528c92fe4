import { XMLParser } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()
const replica = await startService({}, service.connection)
const admin = await service.siteAdmin()
const me = await service.person()
const path = (id: string) => `/api/users/${id}/logindomain`
const unknown = '00000000-0000-7000-8000-000000000000.platform'

const siteUsers = {
  LoginDomainID: 'siteusers.platform',
  FedmemberId: 'platform',
  Title: 'Site Users',
  Sequence: -1,
  IdSystemType: 'Platform Manager',
  LogoAssigned: false,
  Enabled: true,
}

test('the user themself and a Site Admin read it, without VirtualHost', async () => {
  for (const client of [me.client, admin]) {
    const answer = await client.get(path(me.id))
    expect([answer.status, answer.json]).toEqual([200, siteUsers])
  }
})

test.each([
  ['nobody', async () => service.client()],
  ['another user', async () => (await service.person()).client],
  ['a Business Admin', async () => (await service.person('BusinessAdmin')).client],
])('%s is told 401, whether the user exists or not', async (_who, client) => {
  for (const id of [me.id, unknown, 'garbage', `${me.id}x`])
    expect((await (await client()).get(path(id))).status).toBe(401)
})

test('a Site Admin is told 404 for a user that does not exist', async () => {
  const answer = await admin.get(path(unknown))
  expect([answer.status, answer.json.faultcode]).toEqual([404, 'NotFound'])
})

const types = ['v71', 'v72', 'v80', 'v81'].flatMap((v) => [`vnd.platform.${v}+json`, `vnd.platform.${v}+xml`])

test.each(['application/json', 'application/xml', 'text/xml', ...types.map((type) => `application/${type}`)])(
  'it is answered as %s',
  async (type) => {
    const answer = await me.client.get(path(me.id), { accept: type })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`)
    const read = type.endsWith('xml') ? new XMLParser().parse(answer.text, true).LoginDomain : answer.json
    expect(read).toEqual(siteUsers)
  },
)

test.each(['application/vnd.platform.v82+json', 'application/vnd.platform.v70+xml', 'text/html', 'image/*'])(
  'it is not answered as %s',
  async (type) => {
    const answer = await me.client.get(path(me.id), { accept: type })
    expect(answer.status).toBe(406)
    for (const offered of types) expect(answer.text).toContain(`application/${offered}`)
  },
)

test('a fault is written in the representation that was asked for', async () => {
  const answer = await admin.get(path(unknown), { accept: 'application/vnd.platform.v81+xml' })
  expect(answer.headers['content-type']).toBe('application/vnd.platform.v81+xml; charset=utf-8')
  expect(new XMLParser().parse(answer.text, true).Fault).toMatchObject({ faultcode: 'NotFound', status: 404 })
})

test.each(['cache=maybe', 'Cache=1', 'CACHE=', 'cache=true&cache=true'])('%s is a 400 that names it', async (query) => {
  const answer = await me.client.get(`${path(me.id)}?${query}`)
  expect([answer.status, answer.json.errors]).toMatchObject([400, [{ pointer: '/cache' }]])
})

test.each(['garbage', '%', 'x'.repeat(8192), 'a; PlatformAuthToken_platform=b'])(
  'a bad cookie is refused',
  async (value) => {
    const cookie = `PlatformAuthToken_platform=${value}`
    expect((await service.client().get(path(me.id), { cookie })).status).toBe(401)
  },
)

test('a bad CSRF header does not matter', async () => {
  expect((await me.client.get(path(me.id), { 'X-Csrf-Token_platform': 'garbage' })).status).toBe(200)
})

test('a changed domain shows at once with cache=false, and within a second without, on any replica', async () => {
  const elsewhere = replica.client()
  for (const [name, value] of me.client.cookies) elsewhere.cookies.set(name, value)
  const title = async (client: typeof elsewhere, query = '') => (await client.get(path(me.id) + query)).json.Title
  for (const client of [me.client, elsewhere]) expect(await title(client, '?cache=false')).toBe('Site Users')

  const rename = (name: string) =>
    service.db.updateTable('login_domain').set({ title: name }).where('id', '=', 'siteusers').execute()
  await rename('People')
  const remembered = await title(me.client)
  expect(await title(me.client, '?CACHE=false')).toBe('People')
  expect(await title(me.client)).toBe('People')
  // Read within a second of the first request: otherwise there was no cache to pass by.
  expect(remembered).toBe('Site Users')
  await expect.poll(() => title(elsewhere), { timeout: 1200, interval: 20 }).toBe('People')
  await rename('Site Users')
})

test('a domain that was only just added is found, and so is one that is disabled or of another host', async () => {
  await admin.get(`${path(me.id)}?cache=false`)
  const row = { id: 'partners', kind: 'local' as const, title: 'Partners', sequence: 3, domain_name: 'partners' }
  await service.db
    .insertInto('login_domain')
    .values({ ...row, display_mode: 'POPUP', enabled: false, virtual_hosts: ['elsewhere.example.com'] })
    .execute()
  const partner = await service.person()
  const user = service.db.updateTable('app_user').where('id', '=', partner.id.slice(0, 36))
  await user.set({ domain_id: 'partners' }).execute()
  const answer = await admin.get(path(partner.id))
  expect(answer.status).toBe(200)
  expect(answer.json).toEqual({
    ...siteUsers,
    LoginDomainID: 'partners.platform',
    DomainName: 'partners',
    DisplayMode: 'POPUP',
    Title: 'Partners',
    Sequence: 3,
    Enabled: false,
  })
})

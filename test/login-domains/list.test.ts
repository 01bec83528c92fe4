import { afterEach, describe, expect, test } from 'vitest'
import { adminEmail, adminPassword, startService } from '../support/service.ts'

const service = await startService()
const replica = await startService({}, service.connection)
const anybody = service.client()
const path = '/api/login/domains'

type Row = Parameters<ReturnType<typeof service.db.insertInto<'login_domain'>>['values']>[0]
const insert = (rows: Row) => service.db.insertInto('login_domain').values(rows).execute()
const domain = (id: string, sequence: number) => ({ id, kind: 'local' as const, title: `Domain ${id}`, sequence })

/** The ids that a list holds, as the database has them now. */
async function idsAt(query = '', headers = {}): Promise<string[]> {
  const answer = await anybody.get(`${path}?cache=false&${query}`, headers)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.map(({ LoginDomainID }: { LoginDomainID: string }) => LoginDomainID.replace('.platform', ''))
}

afterEach(async () => {
  await service.db.deleteFrom('login_domain').where('id', '<>', 'siteusers').execute()
  await anybody.get(`${path}?cache=false`)
})

const siteUsers = {
  LoginDomainID: 'siteusers.platform',
  FedmemberId: 'platform',
  Title: 'Site Users',
  Sequence: -1,
  VirtualHost: [],
  IdSystemType: 'Platform Manager',
  LogoAssigned: false,
  Enabled: true,
}

test('the built-in domain has no DomainName and no DisplayMode', async () => {
  const answer = await anybody.get(path)
  expect(answer.status).toBe(200)
  expect(answer.json).toEqual([siteUsers])
})

test('a domain has all its members, and its id ends in the federation member', async () => {
  const more = { domain_name: 'partners', display_mode: 'POPUP', virtual_hosts: ['127.0.0.1'], logo_assigned: true }
  await insert({ ...domain('partners', 7), ...more })
  const answer = await anybody.get(`${path}?cache=false`)
  expect(answer.json[1]).toEqual({
    ...siteUsers,
    LoginDomainID: 'partners.platform',
    DomainName: 'partners',
    DisplayMode: 'POPUP',
    Title: 'Domain partners',
    Sequence: 7,
    VirtualHost: ['127.0.0.1'],
    LogoAssigned: true,
  })
})

test('the list is in the order of Sequence', async () => {
  await insert([domain('a', 30), domain('b', 10), domain('c', 20), domain('d', -5)])
  expect(await idsAt()).toEqual(['d', 'siteusers', 'b', 'c', 'a'])
})

const json = ['json', ...['v71', 'v72', 'v80', 'v81'].map((version) => `vnd.platform.${version}+json`)]

test.each(json.map((type) => `application/${type}`))('it is answered as %s', async (type) => {
  const answer = await anybody.get(path, { accept: type })
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`)
  expect(answer.json).toEqual([siteUsers])
})

test.each([
  'application/xml',
  'text/xml',
  'application/vnd.platform.v80+xml',
  'application/vnd.platform.v81+xml',
  'application/vnd.platform.v70+json',
  'application/vnd.platform.v82+json',
  'application/vnd.other.v81+json',
  'text/html',
])('it is not answered as %s', async (type) => {
  const answer = await anybody.get(path, { accept: type })
  expect(answer.status).toBe(406)
  for (const offered of json) expect(answer.text).toContain(`application/${offered}`)
})

describe('VirtualHost', () => {
  test.each([
    ['sso.example.com', '', ['siteusers', 'here']],
    ['sso.example.com:8443', '', ['siteusers', 'here']],
    ['SSO.Example.Com', '', ['siteusers', 'here']],
    ['sso.example.com.', '', ['siteusers', 'here']],
    ['second.example.com', 'all=false', ['siteusers', 'here']],
    ['elsewhere.example.com', '', ['siteusers', 'there']],
    ['example.com', '', ['siteusers']],
    ['sso.example.com', 'all=true', ['siteusers', 'here', 'there']],
    ['example.com', 'all=true', ['siteusers', 'here', 'there']],
  ])('for the host %s with "%s" leaves %j', async (host, query, ids) => {
    await insert([
      { ...domain('here', 1), virtual_hosts: ['sso.example.com', 'second.example.com'] },
      { ...domain('there', 2), virtual_hosts: ['elsewhere.example.com'] },
    ])
    expect(await idsAt(query, { host })).toEqual(ids)
  })

  test('is compared with the Host alone when no proxy is trusted', async () => {
    await insert({ ...domain('here', 1), virtual_hosts: ['sso.example.com'] })
    expect(await idsAt('', { 'x-forwarded-host': 'sso.example.com' })).toEqual(['siteusers'])
  })
})

test.each([
  ['', ['siteusers', 'on']],
  ['IncludeDisabled=false', ['siteusers', 'on']],
  ['IncludeDisabled=true', ['siteusers', 'off', 'on']],
  ['IncludeDisabled=true&all=true', ['siteusers', 'off', 'on', 'far-off']],
  ['all=true', ['siteusers', 'on']],
])('disabled domains are there with IncludeDisabled alone: "%s"', async (query, ids) => {
  const elsewhere = { enabled: false, virtual_hosts: ['elsewhere.example.com'] }
  await insert([{ ...domain('off', 1), enabled: false }, domain('on', 2), { ...domain('far-off', 3), ...elsewhere }])
  expect(await idsAt(query)).toEqual(ids)
})

test('names of parameters match in any case, and unknown ones are ignored', async () => {
  await insert({ ...domain('off', 1), enabled: false, virtual_hosts: ['elsewhere.example.com'] })
  for (const [query, count] of [
    ['CACHE=false&ALL=true&includedisabled=true', 2],
    ['Cache=false&aLL=true&INCLUDEDISABLED=true', 2],
    ['Cache=false&aLL=false&INCLUDEDISABLED=true', 1],
    ['cache=false&unknown=1', 1],
  ]) {
    expect((await anybody.get(`${path}?${query}`)).json).toHaveLength(count as number)
  }
})

test.each(['all', 'IncludeDisabled', 'cache'])('%s that is no boolean is a 400 that names it', async (name) => {
  for (const query of [`${name}=yes`, `${name}=1`, `${name}=`, name, `${name}=true&${name}=true`]) {
    const answer = await anybody.get(`${path}?${query}`)
    expect(answer.status, query).toBe(400)
    expect(answer.json.faultstring).toContain(`/${name} `)
    expect(answer.json.errors).toMatchObject([{ pointer: `/${name}` }])
  }
})

test.each([
  ['no token', 'garbage'],
  ['eight kilobytes', 'x'.repeat(8192)],
  ['a bad percent sequence', '%'],
  ['two of them', 'a; PlatformAuthToken_platform=b'],
])('a cookie that holds %s is ignored: anyone may call it', async (_case, value) => {
  const headers = { cookie: `PlatformAuthToken_platform=${value}`, 'X-Csrf-Token_platform': 'garbage' }
  expect((await anybody.get(path, headers)).status).toBe(200)
})

test('the cookie of a session that has ended is ignored', async () => {
  const client = service.client()
  await client.signIn(adminEmail, adminPassword)
  await client.post('/api/login/logout')
  expect((await client.get('/api/login/status')).status).toBe(401)
  expect((await client.get(path)).status).toBe(200)
})

describe('the cache', () => {
  const count = async (client: typeof anybody, query = '') => (await client.get(`${path}${query}`)).json.length

  test('is passed by and renewed with cache=false', async () => {
    expect(await count(anybody, '?cache=false')).toBe(1)
    await insert(domain('new', 1))
    const remembered = await count(anybody, '?cache=true')
    expect(await count(anybody, '?cache=false')).toBe(2)
    expect(await count(anybody)).toBe(2)
    // Read within a second of the first request: otherwise there was no cache to pass by.
    expect(remembered).toBe(1)
  })

  test('is never older than a second, on any replica', async () => {
    const clients = [anybody, replica.client()]
    for (const client of clients) expect(await count(client, '?cache=false')).toBe(1)
    await insert(domain('new', 1))
    const newest = { timeout: 1200, interval: 20 }
    await Promise.all(clients.map((client) => expect.poll(() => count(client), newest).toBe(2)))
  })
})

import { XMLParser } from 'fast-xml-parser'
import { describe, expect, test, vi } from 'vitest'
import { keyRing } from '../../src/access/keys.ts'
import { directory } from '../../src/login/ways/directory.ts'
import { readSignInDomain } from '../../src/login-domains/sign-in.ts'
import { vendorNames } from '../../src/vendor.ts'
import { exampleApi } from '../support/examples.ts'
import { certificate, directoryBody, openIdBody } from '../support/login-domains.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const replica = await startService({}, service.connection)
const admin = await service.siteAdmin()
const path = '/api/login/domains'
const xml = { 'content-type': 'application/xml', accept: 'application/xml' }
const unknown = '00000000-0000-7000-8000-000000000000.platform'

const add = async (body: object) => {
  const answer = await admin.post(path, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}
const read = (id: string, headers = {}) => admin.get(`${path}/${id}`, headers)
const put = (id: string, body: unknown, headers = {}) => admin.send('PUT', `${path}/${id}`, { body, headers })
const remove = (id: string, headers = {}) => admin.send('DELETE', `${path}/${id}`, { headers })
const names = async (client = admin) =>
  (await client.get(`${path}?IncludeDisabled=true&all=true`)).json.map(
    (each: { DomainName?: string }) => each.DomainName,
  )
const secretOf = async (id: string) => {
  const services = { vendor: vendorNames(service.config), keys: keyRing(service.config.secretKeys ?? []) }
  return (await readSignInDomain(service.db, services, id))?.secret
}

test('an added directory has every member, with the usual settings, and is listed at once', async () => {
  const body = directoryBody({ DisplayMode: 'POPUP', VirtualHost: ['SSO.example.com', 'sso.example.com'], Sequence: 7 })
  // Remembered from now on.
  await Promise.all([names(), names(replica.client())])
  const added = await add(body)
  expect(await names()).toContain(body.DomainName)
  await expect.poll(() => names(replica.client()), { timeout: 300, interval: 5 }).toContain(body.DomainName)
  const { BindPassword: _, ...directory } = body.Directory
  expect(added).toEqual({
    LoginDomainID: expect.stringMatching(/^[0-9a-f-]{36}\.platform$/),
    DomainName: body.DomainName,
    FedmemberId: 'platform',
    DisplayMode: 'POPUP',
    Title: 'The directory',
    Sequence: 7,
    VirtualHost: ['sso.example.com'],
    IdSystemType: 'Directory Server',
    LogoAssigned: false,
    Enabled: true,
    Provision: true,
    OAuthEnabled: false,
    HasSecret: true,
    Directory: {
      ...directory,
      StartTls: false,
      NameAttribute: 'uid',
      IdAttribute: 'entryUUID',
      EmailAttribute: 'mail',
      GroupAttribute: 'memberOf',
      GroupMemberAttribute: 'member',
    },
    RoleRule: [],
  })
  expect((await read(added.LoginDomainID)).json).toEqual(added)
})

test('an added provider stands behind the last domain, and its secret is stored encrypted', async () => {
  await add(directoryBody({ Sequence: 40 }))
  const added = await add(openIdBody({ OAuthEnabled: 'true', Provision: false, Enabled: false }))
  expect(added).toMatchObject({ Sequence: 41, OAuthEnabled: true, Provision: false, Enabled: false, HasSecret: true })
  expect(added.OpenID).toEqual({
    Issuer: 'https://id.example.com/realm',
    ClientId: 'us',
    Scope: 'openid profile email',
    UserNameClaim: 'preferred_username',
    EmailClaim: 'email',
  })
  const stored = await service.db.selectFrom('login_domain').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain('a secret to look for')
  expect(await secretOf(added.LoginDomainID)).toBe('a secret to look for')
})

test('XML is the same object: what is read can be sent back', async () => {
  const group = (await admin.post('/api/apis', exampleApi())).json.AdminGroupID
  const rules = `<RoleRule><Attribute>memberOf</Attribute><Value> cn=a&amp;b </Value><GroupID>${group}</GroupID></RoleRule>
    <RoleRule><Attribute>memberOf</Attribute><Value>007</Value><Role>BusinessAdmin</Role></RoleRule>`
  const body = `<LoginDomain><Title>In XML</Title><DomainName>xml</DomainName><IdSystemType>Directory Server</IdSystemType>
    <VirtualHost>one.example.com</VirtualHost>${rules}<Directory><Url>ldap://127.0.0.1:3890</Url><BaseDn>o=x</BaseDn>
    <CaCertificates>${certificate}</CaCertificates></Directory></LoginDomain>`
  const added = await admin.post(path, body, xml)
  expect(added.status, added.text).toBe(200)
  const { LoginDomain } = new XMLParser({ parseTagValue: false, trimValues: false }).parse(added.text, true)
  expect(LoginDomain.RoleRule).toEqual([
    { Attribute: 'memberOf', Value: ' cn=a&b ', GroupID: group },
    { Attribute: 'memberOf', Value: '007', Role: 'BusinessAdmin' },
  ])
  expect(LoginDomain).toMatchObject({
    HasSecret: 'false',
    Directory: { StartTls: 'false', CaCertificates: certificate },
  })
  const id = LoginDomain.LoginDomainID
  const before = await read(id, { accept: 'application/xml' })
  expect(before.text).toBe(added.text)
  expect((await put(id, before.text, xml)).text).toBe(before.text)
  const json = (await read(id)).json
  expect((await put(id, json)).json).toEqual(json)
})

describe('a change', () => {
  test('empties texts and lists that are absent, keeps switches, place and secret', async () => {
    const rule = { Attribute: 'memberOf', Value: 'cn=x', Role: 'BusinessAdmin' }
    const more = {
      DisplayMode: 'POPUP',
      VirtualHost: ['a.example.com'],
      Sequence: 9,
      OAuthEnabled: true,
      RoleRule: [rule],
    }
    const { LoginDomainID: id, ...before } = await add(directoryBody({ ...more, Enabled: false, Provision: false }))
    const { BindPassword: _, ...Directory } = directoryBody().Directory
    const answer = await put(id, { DomainName: 'Another name', Title: 'Another', Directory })
    expect(answer.status, answer.text).toBe(200)
    const { DisplayMode: __, ...others } = before
    const emptied = { DomainName: 'Another name', Title: 'Another', VirtualHost: [], RoleRule: [] }
    expect(answer.json).toEqual({ LoginDomainID: id, ...others, ...emptied })
    expect(await secretOf(id)).toBe('a secret to look for')
  })

  test('sets another secret, and removes it with an empty one', async () => {
    const body = openIdBody()
    const { LoginDomainID: id } = await add(body)
    const change = (ClientSecret: string) => put(id, { ...body, OpenID: { ...body.OpenID, ClientSecret } })
    expect((await change('another')).json.HasSecret).toBe(true)
    expect(await secretOf(id)).toBe('another')
    expect((await change('')).json.HasSecret).toBe(false)
    expect(await secretOf(id)).toBeUndefined()
  })

  test('does not send the secret to another address than it was given for', async () => {
    const directory = directoryBody()
    const provider = openIdBody()
    const [one, two] = [await add(directory), await add(provider)]
    const { BindPassword: _, ...Directory } = { ...directory.Directory, Url: 'ldaps://evil.example.com' }
    const { ClientSecret: __, ...OpenID } = { ...provider.OpenID, Issuer: 'https://evil.example.com' }
    for (const [id, body, pointer] of [
      [one.LoginDomainID, { ...directory, Directory }, '/Directory/BindPassword'],
      [two.LoginDomainID, { ...provider, OpenID }, '/OpenID/ClientSecret'],
    ] as const) {
      const answer = await put(id, body)
      expect([answer.status, answer.json.errors]).toMatchObject([400, [{ pointer }]])
    }
    const given = { ...Directory, BindPassword: 'for the other' }
    expect((await put(one.LoginDomainID, { ...directory, Directory: given })).status).toBe(200)
    expect(await secretOf(one.LoginDomainID)).toBe('for the other')
  })

  test('drops the password with the name that binds', async () => {
    const body = directoryBody()
    const { LoginDomainID: id } = await add(body)
    const { BindDn: _, BindPassword: __, ...Directory } = body.Directory
    expect((await put(id, { ...body, Directory })).json.HasSecret).toBe(false)
    const refused = await put(id, { ...body, Directory: { ...Directory, BindDn: 'cn=x' } })
    expect([refused.status, refused.json.errors]).toMatchObject([400, [{ pointer: '/Directory/BindPassword' }]])
  })

  test('of a state that another has changed is refused: of many at once one wins', async () => {
    const body = directoryBody()
    const { LoginDomainID: id } = await add(body)
    const { etag = '' } = (await read(id)).headers
    const titles = ['a', 'b', 'c', 'd', 'e', 'f']
    const answers = await Promise.all(titles.map((Title) => put(id, { ...body, Title }, { 'if-match': etag })))
    const won = answers.filter(({ status }) => status === 200)
    expect([won.length, answers.filter(({ status }) => status === 412).length]).toEqual([1, 5])
    expect((await read(id)).json.Title).toBe(won[0]?.json.Title)
    expect((await remove(id, { 'if-match': etag })).status).toBe(412)
    const newer = await read(id)
    expect((await read(id, { 'if-none-match': newer.headers.etag ?? '' })).status).toBe(304)
    expect((await remove(id, { 'if-match': newer.headers.etag ?? '' })).status).toBe(200)
  })

  test('cannot make it one of another kind', async () => {
    const { LoginDomainID: id, DomainName } = await add(directoryBody())
    const answer = await put(id, openIdBody({ DomainName }))
    expect([answer.status, answer.json.errors]).toMatchObject([400, [{ pointer: '/IdSystemType' }]])
  })
})

test("a name is unique in any case, and never the built-in domain's", async () => {
  await add(directoryBody({ DomainName: 'Taken' }))
  const { LoginDomainID: id } = await add(directoryBody({ DomainName: 'free' }))
  for (const DomainName of ['Taken', 'tAKEN', 'siteusers', 'SiteUsers.platform']) {
    for (const answer of [
      await admin.post(path, openIdBody({ DomainName })),
      await put(id, directoryBody({ DomainName })),
    ]) {
      expect([answer.status, answer.json.errors]).toMatchObject([400, [{ pointer: '/DomainName' }]])
    }
  }
  const many = await Promise.all(
    Array.from({ length: 6 }, () => admin.post(path, directoryBody({ DomainName: 'raced' }))),
  )
  expect(many.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
})

const inDirectory = (more: object) => directoryBody({ Directory: { ...directoryBody().Directory, ...more } })
const inOpenId = (more: object) => openIdBody({ OpenID: { ...openIdBody().OpenID, ...more } })
const withRule = (rule: object) => directoryBody({ RoleRule: [{ Attribute: 'memberOf', Value: 'x', ...rule }] })

test.each<[string, object[]]>([
  ['/Title', [directoryBody({ Title: '' }), directoryBody({ Title: 'a\u0000b' }), directoryBody({ Title: undefined })]],
  [
    '/DomainName',
    ['', ' a', 'a ', 'a/b', 'a\nb', 'x'.repeat(101), undefined].map((DomainName) => directoryBody({ DomainName })),
  ],
  ['/IdSystemType', ['Platform Manager', 'ldap', undefined].map((IdSystemType) => directoryBody({ IdSystemType }))],
  ['/DisplayMode', [directoryBody({ DisplayMode: 'popup' })]],
  ['/Sequence', [0, -1, 1.5, 1e9, 'first'].map((Sequence) => directoryBody({ Sequence }))],
  ['/VirtualHost/0', ['', 'a b', 'https://x', 'x:1'].map((host) => directoryBody({ VirtualHost: [host] }))],
  ['/Directory', [directoryBody({ Directory: undefined })]],
  ['/OpenID', [directoryBody({ OpenID: openIdBody().OpenID }), openIdBody({ OpenID: undefined })]],
  [
    '/Directory/Url',
    [
      '',
      'x',
      'http://x',
      'ldap://ldap.example.com',
      'ldaps://u@x',
      'ldaps://x/dc=y',
      'ldaps://x?y',
      'ldaps://x\u0000',
      'ldap://localhost.evil.com',
    ].map((Url) => inDirectory({ Url })),
  ],
  ['/Directory/StartTls', [inDirectory({ StartTls: true })]],
  ['/Directory/BaseDn', [inDirectory({ BaseDn: '' }), inDirectory({ BaseDn: undefined })]],
  ['/Directory/BindDn', [inDirectory({ BindDn: undefined })]],
  ['/Directory/BindPassword', [inDirectory({ BindPassword: '' }), inDirectory({ BindPassword: undefined })]],
  [
    '/Directory/CaCertificates',
    ['', 'x', certificate.replace('MII', 'AAA'), `${certificate}\u0000`].map((CaCertificates) =>
      inDirectory({ CaCertificates }),
    ),
  ],
  ['/Directory/NameAttribute', ['', '1a', 'a)(b', 'a*'].map((NameAttribute) => inDirectory({ NameAttribute }))],
  ['/Directory/ObjectClass', [inDirectory({ ObjectClass: 'a)' })]],
  ['/Directory/Unknown', [inDirectory({ Unknown: 'x' })]],
  [
    '/OpenID/Issuer',
    ['', 'x', 'http://id.example.com', 'https://id.example.com?x', 'https://id.example.com#x', 'https://u:p@x'].map(
      (Issuer) => inOpenId({ Issuer }),
    ),
  ],
  ['/OpenID/Scope', ['', 'profile', 'openid  email', 'openid\u0000'].map((Scope) => inOpenId({ Scope }))],
  ['/OpenID/UserNameClaim', ['', 'a b', 'ä'].map((UserNameClaim) => inOpenId({ UserNameClaim }))],
  ['/RoleRule/0', [withRule({}), withRule({ Role: 'SiteAdmin', GroupID: unknown })]],
  ['/RoleRule/0/Role', [withRule({ Role: 'ApiAdmin' })]],
])('%s that is not valid is a 400 that names it, and nothing is stored', async (pointer, bodies) => {
  const before = await names()
  for (const body of bodies) {
    const answer = await admin.post(path, body)
    expect(answer.status, JSON.stringify(body)).toBe(400)
    expect(answer.json.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer)
    expect(answer.text).not.toContain('a secret to look for')
  }
  expect(await names()).toEqual(before)
})

test('a rule about a group that is not there is a 404 that says where, and nothing is stored', async () => {
  const group = (await admin.post('/api/apis', exampleApi())).json.AdminGroupID
  const { LoginDomainID } = await add(directoryBody())
  const before = await names()
  for (const GroupID of [unknown, 'x', group.toUpperCase(), group.replace('.platform', '.other')]) {
    const rules = [{ GroupID: group }, { Role: 'SiteAdmin' }, { GroupID }]
    const RoleRule = rules.map((gift) => ({ Attribute: 'a', Value: 'v', ...gift }))
    for (const send of [
      () => admin.post(path, directoryBody({ RoleRule })),
      () => put(LoginDomainID, directoryBody({ RoleRule })),
    ]) {
      const { status, json } = await send()
      const error = { pointer: '/RoleRule/2/GroupID', message: 'is the id of no group' }
      expect([status, json.faultstring, json.errors]).toEqual([404, `No group has the id "${GroupID}".`, [error]])
    }
  }
  expect([await names(), (await read(LoginDomainID)).json.RoleRule]).toEqual([before, []])
})

test('all that is wrong with settings is said at once', async () => {
  const pointers = async (body: object) =>
    (await admin.post(path, body)).json.errors.map(({ pointer }: { pointer: string }) => pointer)
  expect(await pointers(inDirectory({ Url: 'x', NameAttribute: '*', BindDn: undefined }))).toEqual([
    '/Directory/Url',
    '/Directory/NameAttribute',
    '/Directory/BindDn',
  ])
  expect(await pointers(inOpenId({ Issuer: 'x', EmailClaim: '' }))).toEqual(['/OpenID/Issuer', '/OpenID/EmailClaim'])
})

test('an unknown domain is 404', async () => {
  for (const id of [unknown, 'garbage', `${unknown}x`, '%00', 'a%20b.platform', 'x'.repeat(300)]) {
    for (const answer of [await read(id), await put(id, directoryBody()), await remove(id)]) {
      expect([answer.status, answer.json.faultcode]).toEqual([404, 'NotFound'])
    }
  }
})

describe('removing', () => {
  test('is refused while the domain has users, and says how many', async () => {
    const { LoginDomainID: id, DomainName } = await add(directoryBody())
    const person = await service.person()
    const move = (domain: string) =>
      service.db.updateTable('app_user').set({ domain_id: domain }).where('id', '=', person.id.slice(0, 36)).execute()
    await move(id.slice(0, 36))
    const refused = await remove(id)
    expect([refused.status, refused.json.faultstring]).toEqual([400, expect.stringContaining('has 1 user ')])
    await move('siteusers')
    expect((await remove(id)).status).toBe(200)
    expect((await read(id)).status).toBe(404)
    expect(await names()).not.toContain(DomainName)
  })

  test('refuses whoever comes for the first time at that moment', async () => {
    const { LoginDomainID: id } = await add(directoryBody())
    const proven = vi.spyOn(directory, 'prove').mockImplementation(async () => {
      expect((await remove(id)).status).toBe(200)
      return { issuer: '', subject: 'x', userName: 'x', email: '', attributes: {} }
    })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = `domain=${id}&identity_username=x&secret_password=y`
    const answer = await service.client().post('/api/login/ssoLogin', body, form)
    proven.mockRestore()
    expect([answer.status, answer.json.faultstring]).toEqual([401, 'The login domain is gone.'])
  })

  test('the built-in domain is refused', async () => {
    const answer = await remove('siteusers.platform')
    expect([answer.status, answer.json.faultcode]).toEqual([400, 'Malformed'])
  })
})

test('a body that comes twice with one Idempotency-Key adds one domain', async () => {
  const body = directoryBody()
  const key = { 'idempotency-key': 'one-domain' }
  const [first, second] = [await admin.post(path, body, key), await admin.post(path, body, key)]
  expect([second.status, second.json]).toEqual([200, first.json])
})

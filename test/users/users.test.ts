import { randomUUID } from 'node:crypto'
import { XMLParser } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService({ LOGIN_ADDRESS_PER_MINUTE: '100000' })
const admin = await service.siteAdmin()
const Password = 'a password to look for'

let made = 0
const newUser = (more: object = {}) => ({ Email: `user${++made}@example.com`, Password, ...more })
const add = (more?: object) => admin.post('/api/users', newUser(more))
const xml = { 'content-type': 'application/xml', accept: 'application/xml' }

test('an added user is answered, read back and can sign in', async () => {
  const body = newUser({ UserName: 'Anna Example', Role: ['SiteAdmin', 'BusinessAdmin'] })
  const added = await admin.post('/api/users', body)
  expect(added.status).toBe(200)
  expect(added.json).toEqual({
    UserID: expect.stringMatching(/^[0-9a-f-]{36}\.platform$/),
    UserName: 'Anna Example',
    Email: body.Email,
    Enabled: true,
    Role: ['BusinessAdmin', 'SiteAdmin'],
    LoginDomainID: 'siteusers.platform',
    Created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    Updated: added.json.Created,
  })
  expect((await admin.get(`/api/users/${added.json.UserID}`)).json).toEqual(added.json)

  const client = service.client()
  const signedIn = await client.signIn(body.Email, Password)
  expect(signedIn.json).toMatchObject({ userName: 'Anna Example', userFDN: added.json.UserID })
  expect((await client.get(`/api/users/${added.json.UserID}`)).json).toEqual(added.json)
})

test('UserName is the e-mail address unless it is given, and a user has no role unless one is given', async () => {
  const { json } = await add({ Email: 'Plain@Example.com' })
  expect(json).toMatchObject({ UserName: 'Plain@Example.com', Email: 'Plain@Example.com', Enabled: true, Role: [] })
})

test('a user is added and read as XML', async () => {
  const body = `<User><Role>BusinessAdmin</Role><Email>xml@example.com</Email><Enabled>true</Enabled>
    <Password>  blank &amp; more  </Password><UserName>007</UserName></User>`
  const added = await admin.post('/api/users', body, xml)
  expect([added.status, added.headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8'])
  const { User } = new XMLParser({ parseTagValue: false }).parse(added.text, true)
  expect(User).toMatchObject({ UserName: '007', Email: 'xml@example.com', Enabled: 'true', Role: 'BusinessAdmin' })
  const read = await admin.get(`/api/users/${User.UserID}`, { accept: 'application/xml' })
  expect(read.text).toBe(added.text)
  expect((await service.client().signIn('xml@example.com', '  blank & more  ')).status).toBe(200)
})

test.each([
  ['/Email', 'Taken@example.com', 'free name'],
  ['/Email', 'taken@EXAMPLE.com', 'free name'],
  ['/UserName', 'free@example.com', 'Taken Name'],
  ['/UserName', 'free@example.com', 'taken name'],
])("%s that is another user's is a 400 that names it: %s, %s", async (pointer, Email, UserName) => {
  await admin.post('/api/users', { Email: 'Taken@example.com', UserName: 'Taken Name', Password })
  const answer = await admin.post('/api/users', { Email, UserName, Password })
  expect(answer.status).toBe(400)
  expect(answer.json.errors).toEqual([{ pointer, message: "is another user's" }])
  expect(answer.json.faultstring).toContain(pointer)
})

test("an address that is another user's name, where it is the name too, is a 400 that names the address", async () => {
  const { Email } = newUser()
  expect((await add({ UserName: Email.toUpperCase() })).status).toBe(200)
  const { status, json } = await add({ Email })
  expect([status, json.errors]).toEqual([400, [{ pointer: '/Email', message: "is another user's" }]])
  expect((await add({ Email, UserName: 'a name of their own' })).status).toBe(200)
})

test('an address is the name too only up to the length that a name may have', async () => {
  const Email = (length: number) => `@${++made}.example.com`.padStart(length, 'a')
  expect((await add({ Email: Email(200) })).status).toBe(200)
  const { status, json } = await add({ Email: Email(201) })
  expect([status, json.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([400, ['/Email']])
  expect((await add({ Email: Email(201), UserName: 'somebody with a long address' })).status).toBe(200)
})

test('of one address added many times at once exactly one is stored', async () => {
  const body = newUser()
  const answers = await Promise.all(Array.from({ length: 10 }, () => admin.post('/api/users', body)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)])
})

test('read-only members may stand in the body and are ignored', async () => {
  const given = {
    UserID: '00000000-0000-7000-8000-000000000000.platform',
    LoginDomainID: 'other.platform',
    Created: '2001-01-01T00:00:00.000Z',
    Updated: '2001-01-01T00:00:00.000Z',
  }
  const { status, json } = await add(given)
  expect(status).toBe(200)
  for (const [name, value] of Object.entries(given)) expect(json[name]).not.toBe(value)
  expect((await admin.get(`/api/users/${json.UserID}`)).json).toEqual(json)
})

test.each([
  [
    'Email',
    ['', 'no at', '@', 'a@', '@b', 'a@b@c', 'a b@c', 'a,b@c', 'a=b@c', 'a;b@c', 'a\u0007@b', `${'a'.repeat(254)}@b`],
  ],
  ['UserName', ['', 'a,b', 'a=b', 'a;b', 'a\u0000b', 'a\nb', 'a\u200bb', 'a'.repeat(201), 7, null]],
  ['Password', ['', '7 chars', 'a'.repeat(257), '\ud800 lone surrogate', 12345678, null]],
  ['Role', ['BusinessAdmin', {}, null, Array(11).fill('SiteAdmin')]],
  ['Role/0', [['Site Admin'], ['siteadmin'], ['']]],
  ['Enabled', ['yes', 1, '', null]],
  ['Unknown', ['x']],
  ['__proto__', ['x']],
])('%s that is not valid is a 400 that names it, and nothing is stored', async (name, values) => {
  const [member = ''] = name.split('/')
  for (const value of values) {
    const body = newUser()
    const { [member]: _, ...others } = body as Record<string, unknown>
    const text = `${JSON.stringify(others).slice(0, -1)},${JSON.stringify(member)}:${JSON.stringify(value)}}`
    const answer = await admin.post('/api/users', text, { 'content-type': 'application/json' })
    expect(answer.status, text).toBe(400)
    expect(answer.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toContain(`/${name}`)
    if (member !== 'Email') expect((await admin.post('/api/users', body)).status).toBe(200)
  }
})

test('the password is in no answer, whatever is wrong', async () => {
  const duplicate = { Email: 'shown@example.com', Password }
  const wrong = [
    await admin.post('/api/users', duplicate),
    await admin.post('/api/users', duplicate),
    await add({ Email: 'no address' }),
    await add({ Role: ['nobody'] }),
    await add({ Password: Password.repeat(20) }),
    await admin.post('/api/users', `{"Email":"x@y","Password":"${Password}"`, { 'content-type': 'application/json' }),
    await admin.post('/api/users', `<User><Password>${Password}</Passwort></User>`, xml),
    await admin.post('/api/users', `<User><${Password.replaceAll(' ', '')}/></User>`, { ...xml, accept: '*/*' }),
  ]
  expect(wrong.map(({ status }) => status)).toEqual([200, 400, 400, 400, 400, 400, 400, 400])
  for (const answer of wrong.slice(0, -1)) expect(answer.text).not.toContain(Password)
  for (const answer of wrong) expect(answer.text.toLowerCase()).not.toContain('argon')
})

describe('roles', () => {
  const roleOf = async (id: string) => (await admin.get(`/api/users/${id}`)).json.Role

  test('are given and taken, which answers the user; twice is as good as once', async () => {
    const { UserID } = (await add()).json
    for (const [method, role, left] of [
      ['PUT', 'BusinessAdmin', ['BusinessAdmin']],
      ['PUT', 'BusinessAdmin', ['BusinessAdmin']],
      ['PUT', 'SiteAdmin', ['BusinessAdmin', 'SiteAdmin']],
      ['DELETE', 'BusinessAdmin', ['SiteAdmin']],
      ['DELETE', 'BusinessAdmin', ['SiteAdmin']],
      ['DELETE', 'SiteAdmin', []],
    ] as const) {
      const answer = await admin.send(method, `/api/users/${UserID}/roles/${role}`)
      expect([answer.status, answer.json.UserID, answer.json.Role]).toEqual([200, UserID, left])
      expect(await roleOf(UserID)).toEqual(left)
    }
  })

  test('given twice in a body count once', async () => {
    expect((await add({ Role: ['BusinessAdmin', 'BusinessAdmin'] })).json.Role).toEqual(['BusinessAdmin'])
  })

  test.each(['ApiAdmin', 'siteadmin', 'constructor', '%00', 'a'.repeat(300)])('%s is 404', async (role) => {
    const { UserID } = (await add()).json
    for (const method of ['PUT', 'DELETE']) {
      const answer = await admin.send(method, `/api/users/${UserID}/roles/${role}`)
      expect([answer.status, answer.json.faultcode]).toEqual([404, 'NotFound'])
    }
    expect(await roleOf(UserID)).toEqual([])
  })

  test.each(['PUT', 'DELETE'])('of nobody are 404: %s', async (method) => {
    const { status, json } = await admin.send(method, `/api/users/${randomUUID()}.platform/roles/BusinessAdmin`)
    expect([status, json.faultcode]).toEqual([404, 'NotFound'])
  })

  test('take effect on the next request', async () => {
    const { client, id } = await service.person()
    const mayAdd = async () => (await client.post('/api/users', newUser())).status
    expect(await mayAdd()).toBe(401)
    await admin.send('PUT', `/api/users/${id}/roles/SiteAdmin`)
    expect(await mayAdd()).toBe(200)
    await admin.send('DELETE', `/api/users/${id}/roles/SiteAdmin`)
    expect(await mayAdd()).toBe(401)
  })
})

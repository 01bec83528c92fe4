import { describe, expect, test } from 'vitest'
import { createClient } from '../support/client.ts'
import { startService } from '../support/service.ts'

const service = await startService({ LOGIN_ADDRESS_PER_MINUTE: '100000' })
const replica = await startService({}, service.connection)
const admin = await service.siteAdmin()
const unknown = '00000000-0000-7000-8000-000000000000.platform'

const change = (id: string, body: unknown, client = admin) => client.send('PUT', `/api/users/${id}`, { body })
const read = async (id: string) => (await admin.get(`/api/users/${id}`)).json
const statusOf = async (client: typeof admin) => (await client.get('/api/login/status')).status
const signIn = async (email: string, password: string) => (await service.client().signIn(email, password)).status
const elsewhere = (client: typeof admin) => {
  const there = createClient(replica.url)
  for (const [name, value] of client.cookies) there.cookies.set(name, value)
  return there
}

test('what the body says changes and the rest stays; what is read can be sent back', async () => {
  const { id, client, password } = await service.person('BusinessAdmin')
  const before = await read(id)
  const { status, json } = await change(id, { UserName: 'Other Name', Email: 'other@example.com' })
  expect(status).toBe(200)
  expect(json).toEqual({ ...before, UserName: 'Other Name', Email: 'other@example.com', Updated: json.Updated })
  expect(json.Updated > before.Updated).toBe(true)
  expect(await signIn('other@example.com', password)).toBe(200)
  expect((await client.get('/api/login/status')).json.userName).toBe('Other Name')
  const { Updated: _, ...same } = (await change(id, json)).json
  expect({ ...same, Updated: json.Updated }).toEqual(json)
})

test('a name that is longer than a new one may be can be sent back', async () => {
  const { id } = await service.person()
  const user_name = `${'a'.repeat(242)}@example.com`
  await service.db
    .updateTable('app_user')
    .set({ user_name })
    .where('id', '=', String(id).split('.')[0] as string)
    .execute()
  const { json } = await admin.get(`/api/users/${id}`)
  expect([json.UserName, (await change(id, json)).status]).toEqual([user_name, 200])
})

test('XML is the same', async () => {
  const { id } = await service.person()
  const headers = { 'content-type': 'application/xml', accept: 'application/xml' }
  const { text } = await admin.send('PUT', `/api/users/${id}`, {
    body: '<User><UserName>007</UserName></User>',
    headers,
  })
  expect(text).toContain('<UserName>007</UserName>')
})

test('a disabled user is out on the next request, on every replica, and stays out when enabled again', async () => {
  const { id, client, email, password } = await service.person()
  const there = elsewhere(client)
  expect([await statusOf(client), await statusOf(there)]).toEqual([200, 200])
  expect((await change(id, { Enabled: 'false' })).json.Enabled).toBe(false)
  expect(await statusOf(client)).toBe(401)
  await expect.poll(() => statusOf(there), { timeout: 300, interval: 5 }).toBe(401)
  expect(await signIn(email, password)).toBe(401)
  await change(id, { Enabled: true })
  expect([await statusOf(client), await statusOf(there)]).toEqual([401, 401])
  expect(await signIn(email, password)).toBe(200)
})

test('another password ends every session', async () => {
  const { id, client, email, password } = await service.person()
  expect((await change(id, { Password: 'another password' })).status).toBe(200)
  expect(await statusOf(client)).toBe(401)
  expect([await signIn(email, password), await signIn(email, 'another password')]).toEqual([401, 200])
})

test('a Site Admin changes their own password only with the present one', async () => {
  const { id, client, email, password } = await service.person('SiteAdmin')
  const answer = await change(id, { Password: 'another password' }, client)
  expect([answer.status, answer.json.errors]).toMatchObject([400, [{ pointer: '/Password' }]])
  expect(await signIn(email, password)).toBe(200)
})

test("a name or address that is another user's is refused, and nothing changes", async () => {
  const [one, two] = [await service.person(), await service.person()]
  const before = await read(one.id)
  for (const [pointer, body] of [
    ['/Email', { Email: two.email.toUpperCase(), UserName: 'unused' }],
    ['/UserName', { UserName: two.email, Email: 'unused@example.com' }],
  ] as const) {
    const answer = await change(one.id, body)
    expect([answer.status, answer.json.errors]).toEqual([400, [{ pointer, message: "is another user's" }]])
  }
  expect(await read(one.id)).toEqual(before)
})

describe('a user of another domain', () => {
  test('is enabled and disabled, but has name, address and password from there', async () => {
    await service.db
      .insertInto('login_domain')
      .values({
        id: 'elsewhere',
        kind: 'ldap',
        title: 'Elsewhere',
        sequence: 1,
        domain_name: 'elsewhere',
        secret: null,
      })
      .execute()
    const { id } = await service.person()
    const row = service.db.updateTable('app_user').where('id', '=', id.slice(0, 36))
    await row.set({ domain_id: 'elsewhere', password_hash: null }).execute()
    const before = await read(id)
    expect(before.LoginDomainID).toBe('elsewhere.platform')
    for (const [member, value] of Object.entries({ Email: 'x@y', UserName: 'x', Password: 'a good password' })) {
      const answer = await change(id, { [member]: value })
      expect([answer.status, answer.json.errors]).toMatchObject([400, [{ pointer: `/${member}` }]])
    }
    expect((await change(id, { ...before, Enabled: false })).json.Enabled).toBe(false)
    // Names from elsewhere may hold what ours may not, and there may be no address.
    await row.set({ user_name: 'Doe, Jane', email: '' }).execute()
    expect((await change(id, { ...(await read(id)), Enabled: true })).json).toMatchObject({ Enabled: true, Email: '' })
  })
})

test('an unknown user is 404, and wrong members are 400s that name them', async () => {
  for (const id of [unknown, 'x', '%00']) expect((await change(id, { Enabled: true })).status).toBe(404)
  const { id } = await service.person()
  for (const body of [
    { Email: 'x' },
    { Email: '' },
    { UserName: 'a,b' },
    { UserName: 'a'.repeat(201) },
    { Password: 'short' },
    { Enabled: 1 },
    { Unknown: 1 },
  ]) {
    const answer = await change(id, body)
    expect([answer.status, answer.json.errors[0].pointer]).toEqual([400, `/${Object.keys(body)[0]}`])
  }
})

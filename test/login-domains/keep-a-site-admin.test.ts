import { describe, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { directoryBody } from '../support/login-domains.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const replica = await startService({}, service.connection)
const admin = await service.siteAdmin()
const adminId = (await admin.get('/api/login/status')).json.userFDN
const path = '/api/login/domains'
const builtIn = `${path}/siteusers.platform`

const put = (client: Client, url: string, body: object) => client.send('PUT', url, { body })
const onReplica = (client: Client) => {
  const there = replica.client()
  for (const [name, value] of client.cookies) there.cookies.set(name, value)
  return there
}

/** A Site Admin of a new directory, signed in. */
async function directoryAdmin(role = 'SiteAdmin') {
  const body = directoryBody()
  const added = await admin.post(path, body)
  const person = await service.person(role)
  const domain_id = added.json.LoginDomainID.slice(0, 36)
  await service.db.updateTable('app_user').set({ domain_id }).where('id', '=', person.id.slice(0, 36)).execute()
  return { ...person, body, domain: `${path}/${added.json.LoginDomainID}` }
}

async function expectRefused(answer: Promise<{ status: number; text: string }>) {
  const { status, text } = await answer
  expect([status, text]).toEqual([400, expect.stringContaining('Nobody would be left')])
}

describe('the built-in domain', () => {
  test('is read with all that is managed', async () => {
    expect((await admin.get(builtIn)).json).toEqual({
      LoginDomainID: 'siteusers.platform',
      FedmemberId: 'platform',
      Title: 'Site Users',
      Sequence: -1,
      VirtualHost: [],
      IdSystemType: 'Platform Manager',
      LogoAssigned: false,
      Enabled: true,
      Provision: true,
      OAuthEnabled: false,
      HasSecret: false,
      RoleRule: [],
    })
  })

  test('changes its title, hosts and mode, and what was read can be sent back', async () => {
    const before = (await admin.get(builtIn)).json
    const changed = { Title: 'People', VirtualHost: ['a.example.com'], DisplayMode: 'POPUP' }
    expect((await put(admin, builtIn, changed)).json).toEqual({ ...before, ...changed })
    expect((await put(admin, builtIn, before)).json).toEqual(before)
  })

  test.each([
    { DomainName: 'siteusers' },
    { Sequence: 1 },
    { IdSystemType: 'Directory Server' },
    { Provision: false },
    { OAuthEnabled: true },
    { Directory: directoryBody().Directory },
    { RoleRule: [{ Attribute: 'a', Value: 'b', Role: 'SiteAdmin' }] },
  ])('does not change with %j', async (more) => {
    const answer = await put(admin, builtIn, { Title: 'People', ...more })
    const [[pointer]] = [Object.keys(more)]
    expect([answer.status, answer.json.errors]).toMatchObject([400, [{ pointer: `/${pointer}` }]])
    expect((await admin.get(builtIn)).json.Title).toBe('Site Users')
  })

  test('is not disabled while nobody else can sign in as a Site Admin', async () => {
    const disable = (client = admin) => put(client, builtIn, { Title: 'Site Users', Enabled: false })
    await expectRefused(disable())
    const business = await directoryAdmin('BusinessAdmin')
    await expectRefused(disable())
    const other = await directoryAdmin()
    const id = other.id.slice(0, 36)

    const grant = service.db.updateTable('role_grant').where('user_id', '=', id)
    await grant.set({ by_rule: true }).execute()
    await expectRefused(disable())
    await put(admin, `/api/users/${other.id}/roles/SiteAdmin`, {})
    await put(admin, `/api/users/${other.id}`, { Enabled: false })
    await expectRefused(disable())
    await put(admin, `/api/users/${other.id}`, { Enabled: true })
    await put(admin, other.domain, { ...other.body, Enabled: false })
    await expectRefused(disable())
    await put(admin, other.domain, { ...other.body, Enabled: true })
    expect((await admin.get('/api/login/status')).status).toBe(200)

    const [session] = await service.db
      .selectFrom('session')
      .where('user_id', '=', id)
      .where('ended', 'is not', null)
      .select('id')
      .execute()
    await service.db
      .updateTable('session')
      .set({ ended: null })
      .where('id', '=', session?.id as string)
      .execute()
    expect((await disable()).status).toBe(200)
    for (const client of [admin, onReplica(admin)]) {
      await expect
        .poll(async () => (await client.get('/api/login/status')).status, { timeout: 300, interval: 5 })
        .toBe(401)
    }
    expect((await service.client().signIn('admin@localhost', 'correct horse battery staple')).status).toBe(401)

    await expectRefused(put(other.client, other.domain, { ...other.body, Enabled: false }))
    await expectRefused(put(other.client, `/api/users/${other.id}`, { Enabled: false }))
    await expectRefused(other.client.send('DELETE', `/api/users/${other.id}/roles/SiteAdmin`))
    expect((await put(other.client, builtIn, { Title: 'Site Users', Enabled: true })).status).toBe(200)
    expect((await admin.get('/api/login/status')).status).toBe(200)
    for (const { domain, body } of [business, other]) await put(admin, domain, { ...body, Enabled: false })
  })
})

test('a user who is the last Site Admin is not disabled', async () => {
  await expectRefused(put(admin, `/api/users/${adminId}`, { Enabled: false }))
  expect((await admin.get(`/api/users/${adminId}`)).json.Enabled).toBe(true)
})

describe('of two who could each be spared, one stays when both go at once on two replicas:', () => {
  test.each([
    [
      'a domain and a user',
      (other: Other) => [
        put(admin, other.domain, off(other)),
        put(other.there, `/api/users/${adminId}`, { Enabled: false }),
      ],
    ],
    [
      'a domain and a role',
      (other: Other) => [
        put(admin, other.domain, off(other)),
        other.there.send('DELETE', `/api/users/${adminId}/roles/SiteAdmin`),
      ],
    ],
    [
      'a user and the built-in domain',
      (other: Other) => [
        put(admin, `/api/users/${other.id}`, { Enabled: false }),
        put(other.there, builtIn, { Title: 'Site Users', Enabled: false }),
      ],
    ],
    [
      'both domains',
      (other: Other) => [
        put(admin, other.domain, off(other)),
        put(admin, builtIn, { Title: 'Site Users', Enabled: false }),
      ],
    ],
  ])('%s', async (_what, race) => {
    const other = await directoryAdmin()
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(race({ ...other, there: onReplica(other.client) }))
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status === 400 || status === 401)).toHaveLength(1)
      await restore(other)
    }
    await service.db.deleteFrom('role_grant').where('user_id', '=', other.id.slice(0, 36)).execute()
  })
})

type Other = Awaited<ReturnType<typeof directoryAdmin>> & { there: Client }
const off = ({ body }: Pick<Other, 'body'>) => ({ ...body, Enabled: false })

async function restore({ id, domain }: Pick<Other, 'id' | 'domain'>) {
  const users = [adminId, id].map((each) => each.slice(0, 36))
  const domains = ['siteusers', domain.slice(path.length + 1, path.length + 37)]
  await service.db.updateTable('login_domain').set({ enabled: true }).where('id', 'in', domains).execute()
  await service.db.updateTable('app_user').set({ enabled: true }).where('id', 'in', users).execute()
  await service.db.updateTable('session').set({ ended: null }).where('user_id', 'in', users).execute()
  await service.db
    .insertInto('role_grant')
    .values(users.map((user_id) => ({ user_id, role: 'SiteAdmin' as const })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  for (const user of users) for (const { app } of [service, replica]) app.forget({ kind: 'user', id: user })
}

import { describe, expect, test } from 'vitest'
import { exampleApi } from '../support/examples.ts'
import { startService } from '../support/service.ts'
import { writeUntilRefused } from '../support/writers.ts'

const service = await startService()
const replica = await startService({}, service.connection)
const admin = await service.siteAdmin()
const adminId = (await admin.get('/api/login/status')).json.userFDN

const take = (by: typeof admin, id: string, role: string) => by.send('DELETE', `/api/users/${id}/roles/${role}`)

async function siteAdmins(): Promise<string[]> {
  const rows = await service.db.selectFrom('role_grant').where('role', '=', 'SiteAdmin').select('user_id').execute()
  return rows.map(({ user_id }) => `${user_id}.platform`)
}

describe('the last Site Admin', () => {
  test('cannot lose the role', async () => {
    const answer = await take(admin, adminId, 'SiteAdmin')
    expect([answer.status, answer.json.faultcode]).toEqual([400, 'Malformed'])
    expect(await siteAdmins()).toEqual([adminId])
    expect((await admin.get(`/api/users/${adminId}`)).json.Role).toEqual(['SiteAdmin'])
  })

  test('is the last also beside one who is disabled', async () => {
    const disabled = { Email: 'off@example.com', Password: 'a good password', Enabled: false, Role: ['SiteAdmin'] }
    const { UserID } = (await admin.post('/api/users', disabled)).json
    expect((await take(admin, adminId, 'SiteAdmin')).status).toBe(400)
    expect((await take(admin, UserID, 'SiteAdmin')).status).toBe(200)
  })

  test('stays, when two take the role at once on two replicas', async () => {
    const one = { client: admin, id: adminId }
    const two = await service.person('SiteAdmin')
    const there = replica.client()
    for (const [name, value] of two.client.cookies) there.cookies.set(name, value)
    for (const target of ['their own', "each other's"]) {
      for (let round = 0; round < 3; round++) {
        const own = target === 'their own'
        const answers = await Promise.all([
          take(admin, own ? one.id : two.id, 'SiteAdmin'),
          take(there, own ? two.id : one.id, 'SiteAdmin'),
        ])
        const statuses = answers.map(({ status }) => status)
        expect(statuses.filter((status) => status === 200)).toHaveLength(1)
        expect(statuses.filter((status) => status === 400 || status === 401)).toHaveLength(1)
        const [left, ...more] = await siteAdmins()
        expect([one.id, two.id]).toContain(left)
        expect(more).toEqual([])
        const winner = left === one.id ? admin : there
        const loser = left === one.id ? two.id : one.id
        expect((await winner.send('PUT', `/api/users/${loser}/roles/SiteAdmin`)).status).toBe(200)
      }
    }
  })
})

test.each([
  ['SiteAdmin', '/api/users', (n: number) => ({ Email: `raced${n}@example.com`, Password: 'a good password' })],
  ['BusinessAdmin', '/api/apis', (n: number) => ({ ...exampleApi(), Name: `raced ${n}` })],
])('nothing that is written while %s is taken away is stored after that', async (role, path, body) => {
  const stored = async () => {
    const users = await service.db.selectFrom('app_user').select('id').execute()
    const apis = await service.db.selectFrom('api').select('id').execute()
    return users.length + apis.length
  }
  const { client, id } = await service.person(role)
  const elsewhere = await replica.siteAdmin()
  const before = await stored()

  const refused = writeUntilRefused((n) => client.post(path, body(n)))
  await expect.poll(stored, { timeout: 5000, interval: 10 }).toBeGreaterThan(before + 4)
  // Each try waits for those of their writes that are under way, a second at most.
  await expect.poll(async () => (await take(elsewhere, id, role)).status, { timeout: 9000, interval: 1 }).toBe(200)
  const after = await stored()
  expect(await refused).toEqual([401, 401, 401, 401])
  expect(await stored()).toBe(after)
})

test.each(['adds APIs', 'changes one API in different ways'])(
  'a Business Admin who %s without pause loses the role all the same',
  async (what) => {
    const { client, id } = await service.person('BusinessAdmin')
    const { APIID, LatestVersionID } = (await client.post('/api/apis', exampleApi())).json
    // Whoever added it stays a member of its group, but for this.
    await service.db
      .deleteFrom('group_member')
      .where('user_id', '=', String(id).split('.')[0] as string)
      .execute()
    const writes =
      what === 'adds APIs'
        ? [() => client.post('/api/apis', exampleApi())]
        : [
            () => client.send('PUT', `/api/apis/${APIID}`, { body: { Description: 'changed' } }),
            () =>
              client.send('PUT', `/api/apis/versions/${LatestVersionID}/info`, { body: { VersionNotes: 'changed' } }),
          ]
    let writing = true
    const writers = Array.from({ length: 30 }, async (_, n) => {
      while (writing) await writes[n % writes.length]?.()
    })
    await writes[0]?.()
    const taken = await take(await replica.siteAdmin(), id, 'BusinessAdmin')
    writing = false
    await Promise.all(writers)
    expect(taken.status).toBe(200)
  },
)

import { describe, expect, test } from 'vitest'
import { type Client, createClient } from '../support/client.ts'
import { exampleApi } from '../support/examples.ts'
import { startService } from '../support/service.ts'
import { writeUntilRefused } from '../support/writers.ts'

const service = await startService()
const replica = await startService({}, service.connection)
const admin = await service.siteAdmin()
const unknown = '00000000-0000-7000-8000-000000000000.platform'

/** A Limited API, and what its admin group allows. */
async function limitedApi() {
  const { json } = await admin.post('/api/apis', { ...exampleApi(), Visibility: 'Limited' })
  const members = `/api/groups/${json.AdminGroupID}/members`
  let versions = 0
  return {
    members,
    versions: `/api/apis/${json.APIID}/versions`,
    add: (UserID: string, by = admin) => by.post(members, { UserID }),
    remove: (id: string, by = admin) => by.send('DELETE', `${members}/${id}`),
    /** What each thing that an API Admin may do is answered. */
    rights: async (by: Client, another: string) => [
      (await by.get(`/api/apis/${json.APIID}`)).status,
      (await by.post(`/api/apis/${json.APIID}/versions`, { Name: `by a member ${++versions}` })).status,
      (await by.post(members, { UserID: another })).status,
    ],
  }
}

function onReplica(client: Client): Client {
  const copy = createClient(replica.url)
  for (const [name, value] of client.cookies) copy.cookies.set(name, value)
  return copy
}

const person = await service.person()
const another = await service.person()

test('an added member is answered', async () => {
  const answer = await (await limitedApi()).add(person.id)
  expect([answer.status, answer.json]).toEqual([200, { UserID: person.id }])
})

test('a member is added as XML', async () => {
  const api = await limitedApi()
  const body = `<Member><UserID>${person.id}</UserID></Member>`
  const headers = { 'content-type': 'application/vnd.platform.v80+xml', accept: 'application/xml' }
  const answer = await admin.post(api.members, body, headers)
  expect(answer.status).toBe(200)
  expect(answer.text).toBe(`<?xml version="1.0" encoding="UTF-8"?>${body}`)
  expect(await api.rights(person.client, another.id)).toEqual([200, 200, 200])
})

test('a member added twice, or many times at once, is a member once', async () => {
  const api = await limitedApi()
  const answers = await Promise.all(Array.from({ length: 10 }, () => api.add(person.id)))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect((await api.add(person.id)).status).toBe(200)
  expect((await api.remove(person.id)).status).toBe(200)
  expect((await api.remove(person.id)).status).toBe(404)
})

test.each([
  ['no UserID', {}, '/UserID'],
  ['a UserID that is no text', { UserID: 7 }, '/UserID'],
  ['an unknown member', { UserID: unknown, Role: 'admin' }, '/Role'],
])('%s is a 400 that names it', async (_case, body, pointer) => {
  const answer = await admin.post((await limitedApi()).members, body)
  expect([answer.status, answer.json.errors?.[0].pointer]).toEqual([400, pointer])
})

test.each([
  ['an unknown user', unknown],
  ['no id', 'somebody'],
  ['an e-mail address', 'admin@localhost'],
])('%s cannot be a member: 404', async (_case, id) => {
  const api = await limitedApi()
  expect((await api.add(id)).status).toBe(404)
  expect((await api.remove(id)).status).toBe(404)
})

describe('membership', () => {
  test('makes an API Admin, at once and on every replica', async () => {
    const api = await limitedApi()
    const clients = [person.client, onReplica(person.client)]
    for (const client of clients) expect(await api.rights(client, another.id)).toEqual([401, 401, 401])
    await api.add(person.id)
    for (const client of clients) expect(await api.rights(client, another.id)).toEqual([200, 200, 200])
  })

  test('is given and taken by the members themselves', async () => {
    const api = await limitedApi()
    await api.add(person.id)
    expect((await api.add(another.id, person.client)).status).toBe(200)
    expect((await api.remove(person.id, another.client)).status).toBe(200)
    expect((await api.add(person.id, person.client)).status).toBe(401)
    expect((await api.remove(another.id, another.client)).status).toBe(200)
    expect((await api.add(another.id, another.client)).status).toBe(401)
  })

  test('of one group gives nothing in another', async () => {
    const [mine, other] = [await limitedApi(), await limitedApi()]
    await mine.add(person.id)
    expect(await other.rights(person.client, another.id)).toEqual([401, 401, 401])
    expect((await other.remove(another.id, person.client)).status).toBe(401)
  })

  test('that ends takes its rights away at once and on every replica; the answer is empty', async () => {
    const api = await limitedApi()
    await api.add(person.id)
    const clients = [person.client, onReplica(person.client)]
    for (const client of clients) expect(await api.rights(client, another.id)).toEqual([200, 200, 200])
    const answer = await api.remove(person.id)
    expect([answer.status, answer.text]).toEqual([200, ''])
    for (const client of clients) expect(await api.rights(client, another.id)).toEqual([401, 401, 401])
  })

  test('stays with one of two who remove each other at once', async () => {
    const api = await limitedApi()
    for (let round = 0; round < 5; round++) {
      for (const { id } of [person, another]) await api.add(id)
      const answers = await Promise.all([api.remove(another.id, person.client), api.remove(person.id, another.client)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    }
  })

  test('ends once, when many end it at once', async () => {
    const api = await limitedApi()
    await api.add(person.id)
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.remove(person.id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404])
  })

  test('that ends lets nothing be stored after that', async () => {
    const api = await limitedApi()
    await api.add(person.id)
    const stored = async () => (await service.db.selectFrom('api_version').select('id').execute()).length
    const elsewhere = await replica.siteAdmin()
    const before = await stored()

    const refused = writeUntilRefused((n) => person.client.post(api.versions, { Name: `raced ${n}` }))
    await expect.poll(stored, { timeout: 5000, interval: 10 }).toBeGreaterThan(before + 4)
    // Each try waits for those of the member's writes that are under way, a second at most.
    const remove = async () => (await api.remove(person.id, elsewhere)).status
    await expect.poll(remove, { timeout: 9000, interval: 1 }).toBe(200)
    const after = await stored()
    expect(await refused).toEqual([401, 401, 401, 401])
    expect(await stored()).toBe(after)
  })
})

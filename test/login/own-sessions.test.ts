import { XMLParser } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { type Client, createClient } from '../support/client.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const replica = await startService({}, service.connection)
const admin = await service.siteAdmin()
const own = '/api/login/sessions'
const unknown = '00000000-0000-7000-8000-000000000000'

const statusOf = async (client: Client) => (await client.get('/api/login/status')).status
const elsewhere = (client: Client) => {
  const there = createClient(replica.url)
  for (const [name, value] of client.cookies) there.cookies.set(name, value)
  return there
}
const sessionOf = (client: Client) =>
  /TokenID%3D([0-9a-f-]{36})/.exec(client.cookies.get('PlatformAuthToken_platform') ?? '')?.[1]

/** A person who is signed in twice on the main interface, and on the other. */
async function signedInTwice() {
  const person = await service.person()
  const second = service.client()
  await second.signIn(person.email, person.password)
  const [user_id, oauth] = [person.id.slice(0, 36), crypto.randomUUID()]
  await service.db.insertInto('session').values({ id: oauth, user_id, interface: 'oauth', ended: null }).execute()
  return { ...person, second, oauth, of: `/api/users/${person.id}/sessions` }
}

test('people see their own sessions that go on, on both interfaces, and which one they look from', async () => {
  const { client, second, oauth, of } = await signedInTwice()
  const answer = await client.get(own)
  expect(answer.status).toBe(200)
  expect(answer.json).toHaveLength(3)
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  for (const [SessionID, Interface, Current] of [
    [sessionOf(client), 'main', true],
    [sessionOf(second), 'main', false],
    [oauth, 'oauth', false],
  ]) {
    expect(answer.json).toContainEqual({ SessionID, Interface, Started: time, LastSeen: time, Current })
  }
  expect((await client.get(of)).json).toEqual(answer.json)
  const seen = (await admin.get(of)).json
  expect(seen).toEqual(answer.json.map((session: object) => ({ ...session, Current: false })))
  await second.post('/api/login/logout')
  expect((await client.get(own)).json).toHaveLength(2)
  await service.db
    .updateTable('session')
    .set({ last_seen: new Date(0) })
    .where('id', '=', oauth)
    .execute()
  expect((await client.get(own)).json).toHaveLength(1)
})

test('they are answered as XML', async () => {
  const { client } = await service.person()
  const { text, headers } = await client.get(own, { accept: 'application/xml' })
  expect(headers['content-type']).toBe('application/xml; charset=utf-8')
  const { Session } = new XMLParser().parse(text, true).Sessions
  expect(Session).toMatchObject({ SessionID: sessionOf(client), Interface: 'main', Current: true })
})

describe('ending', () => {
  test.each([
    ['one of their own', async (p: Person) => [p.client, `${own}/${sessionOf(p.second)}`] as const],
    ['one as the user', async (p: Person) => [p.client, `${p.of}/${sessionOf(p.second)}`] as const],
    ['one as a Site Admin', async (p: Person) => [admin, `${p.of}/${sessionOf(p.second)}`] as const],
  ])('%s ends it at once on every replica, and no other', async (_who, how) => {
    const person = await signedInTwice()
    const there = elsewhere(person.second)
    for (const client of [person.second, there, person.client]) expect(await statusOf(client)).toBe(200)
    const [by, url] = await how(person)
    const answer = await by.send('DELETE', url)
    expect([answer.status, answer.text, answer.headers['set-cookie']]).toEqual([200, '', undefined])
    expect(await statusOf(person.second)).toBe(401)
    await expect.poll(() => statusOf(there), { timeout: 300, interval: 5 }).toBe(401)
    expect(await statusOf(person.client)).toBe(200)
    expect((await by.send('DELETE', url)).status).toBe(404)
    expect((await person.client.get(own)).json).toHaveLength(2)
  })

  test.each([
    ['all of their own', (p: Person) => [p.client, own] as const, true],
    ['all as a Site Admin', (p: Person) => [admin, p.of] as const, false],
  ])('%s ends every one, the present one included', async (_who, how, clears) => {
    const person = await signedInTwice()
    const [by, url] = how(person)
    const answer = await by.send('DELETE', url)
    expect([answer.status, answer.headers['set-cookie'] !== undefined]).toEqual([200, clears])
    for (const client of [person.client, person.second]) expect(await statusOf(client)).toBe(401)
    const rows = await service.db
      .selectFrom('session')
      .where('user_id', '=', person.id.slice(0, 36))
      .selectAll()
      .execute()
    expect(rows.map(({ ended }) => ended === null)).toEqual([false, false, false])
    expect(await statusOf(admin)).toBe(200)
  })

  test("somebody else's is refused, and nobody learns which there are", async () => {
    const [mine, theirs] = [await signedInTwice(), await signedInTwice()]
    for (const id of [sessionOf(theirs.client), unknown]) {
      expect((await mine.client.send('DELETE', `${theirs.of}/${id}`)).status).toBe(401)
      expect((await mine.client.send('DELETE', `${own}/${id}`)).status).toBe(404)
      expect((await admin.send('DELETE', `${mine.of}/${id}`)).status).toBe(404)
    }
    for (const url of [theirs.of, `/api/users/${unknown}.platform/sessions`]) {
      expect([(await mine.client.get(url)).status, (await mine.client.send('DELETE', url)).status]).toEqual([401, 401])
    }
    expect(await statusOf(theirs.client)).toBe(200)
  })

  test.each(['x', '%00', '%', 'x'.repeat(5000)])('an id that is none is 404 or 400: %s', async (id) => {
    const { client } = await service.person()
    expect((await client.send('DELETE', `${own}/${id}`)).status).toBe(id === '%' ? 400 : 404)
  })

  test('of an unknown user is 404 for a Site Admin', async () => {
    const url = `/api/users/${unknown}.platform/sessions`
    expect([(await admin.get(url)).status, (await admin.send('DELETE', url)).status]).toEqual([404, 404])
  })
})

type Person = Awaited<ReturnType<typeof signedInTwice>>

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { exampleApi } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()
const { client: reader } = await service.person()

async function added(api: object = {}) {
  return `/api/apis/${(await admin.post('/api/apis', { ...exampleApi(), ...api })).json.APIID}`
}

const follow = (client: Client, path: string) => client.post(`${path}/follow`)
const unfollow = (client: Client, path: string) => client.send('DELETE', `${path}/follow`)
const isFollowed = async (client: Client, path: string) => (await client.get(path)).json.IsFollowed

test('an API is followed by whoever follows it, until they do not; both may be said twice', async () => {
  const path = await added()
  for (const [act, followed] of [
    [follow, true],
    [follow, true],
    [unfollow, false],
    [unfollow, false],
  ] as const) {
    const answer = await act(reader, path)
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(await isFollowed(reader, path)).toBe(followed)
    expect(await isFollowed(reader, `${path}?includeDefaultVersion=true`)).toBe(followed)
    expect(await isFollowed(admin, path)).toBe(false)
    expect(await isFollowed(service.client(), path)).toBe(false)
  }
})

test('as XML, and in the answer to an update', async () => {
  const path = await added()
  await follow(admin, path)
  const xml = await admin.get(path, { accept: 'application/xml' })
  expect(xml.text).toContain('<IsFollowed>true</IsFollowed>')
  const change = { body: { Description: 'x', IsFollowed: false } }
  expect((await admin.send('PUT', path, change)).json.IsFollowed).toBe(true)
  const headers = { accept: 'application/xml' }
  expect((await admin.send('PUT', path, { ...change, headers })).text).toContain('<IsFollowed>true</IsFollowed>')
})

test('what the service assigns is ignored in an added API', async () => {
  expect((await admin.post('/api/apis', { ...exampleApi(), IsFollowed: true })).json.IsFollowed).toBe(false)
})

test('following is another state of the API for that caller alone, and none for If-Match', async () => {
  const path = await added()
  const tag = async (client: Client) => (await client.get(path)).headers.etag as string
  const mine = await tag(admin)
  const theirs = await tag(reader)
  await follow(admin, path)
  expect((await admin.get(path, { 'if-none-match': mine })).status).toBe(200)
  expect((await reader.get(path, { 'if-none-match': theirs })).status).toBe(304)
  expect((await reader.get(path, { 'if-none-match': await tag(admin) })).status).toBe(200)
  const headers = { 'if-match': mine }
  expect((await admin.send('PUT', path, { body: { Description: 'x' }, headers })).status).toBe(200)
})

test('who may not read an API follows none: 401, and nothing is stored', async () => {
  const path = await added({ Visibility: 'Limited' })
  for (const client of [reader, service.client()]) {
    expect((await follow(client, path)).status).toBe(401)
    expect((await unfollow(client, path)).status).toBe(401)
  }
  const { rows } = await sql`select from api_follower where api_id = ${path.slice(10, 46)}`.execute(service.db)
  expect(rows).toEqual([])
})

test('a member who was removed follows and rates no more, from that moment on', async () => {
  const member = await service.person()
  const api = (await admin.post('/api/apis', { ...exampleApi(), Visibility: 'Limited' })).json
  const path = `/api/apis/${api.APIID}`
  const rate = () =>
    member.client.send('PUT', `/api/apis/versions/${api.LatestVersionID}/ratings/${member.id}`, { body: { Rating: 4 } })
  const members = `/api/groups/${api.AdminGroupID}/members`
  await admin.post(members, { UserID: member.id })
  expect([(await follow(member.client, path)).status, (await rate()).status]).toEqual([200, 200])
  await admin.send('DELETE', `${members}/${member.id}`)
  expect([(await follow(member.client, path)).status, (await rate()).status]).toEqual([401, 401])
})

test('following at once, by the same caller and while the API is removed, fails nobody', async () => {
  const path = await added()
  const answers = await Promise.all(Array.from({ length: 8 }, () => follow(reader, path)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const last = await Promise.all([follow(admin, path), admin.send('DELETE', path), follow(reader, path)])
  for (const { status } of last) expect([200, 404]).toContain(status)
  const { rows } = await sql`select from api_follower where api_id = ${path.slice(10, 46)}`.execute(service.db)
  expect(rows).toEqual([])
})

test('a user who goes follows nothing', async () => {
  const path = await added()
  const leaving = await service.person()
  await follow(leaving.client, path)
  await sql`delete from app_user where id = ${leaving.id.split('.')[0]}`.execute(service.db)
  const { rows } = await sql`select from api_follower where api_id = ${path.slice(10, 46)}`.execute(service.db)
  expect(rows).toEqual([])
})

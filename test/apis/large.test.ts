import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { execute } from '../support/database.ts'
import { addTwoVersions } from '../support/deprecations.ts'
import { itemsOf, titlesOf } from '../support/lists.ts'
import { eventually } from '../support/process.ts'
import { startService } from '../support/service.ts'
import { slowWrites } from '../support/slow-writes.ts'

const service = await startService()
const admin = await service.siteAdmin()
const nobody = service.client()
for (const table of ['api_version', 'version_reads', 'api_follower', 'version_rating'])
  await slowWrites(service.connection, table, 8)

/** Adds an API with so many versions that changing them all takes longer than most statements may. */
async function addLarge(Name: string, copies: number) {
  const version = { Name: 'first', Visibility: 'Public' }
  const { APIID, LatestVersionID } = (
    await admin.post('/api/apis', { Name, Visibility: 'Limited', APIVersion: version })
  ).json
  await addCopies(LatestVersionID, copies)
  return { path: `/api/apis/${APIID}`, versionPath: `/api/apis/versions/${LatestVersionID}` }
}

/** Adds versions like one that there is. */
async function addCopies(versionId: string, count: number): Promise<void> {
  await sql`insert into api_version
      (id, api_id, api_visibility, admin_group_id, name, visibility, state, created, updated, doc, search)
    select gen_random_uuid(), api_id, api_visibility, admin_group_id, 'copy ' || n, visibility, state, created, updated,
      doc, search || ('''word' || n || ''':1')::tsvector
    from api_version, generate_series(1, ${count}) n where id = ${versionId.split('.')[0]}`.execute(service.db)
}

/** How many statements at this moment write what goes on to versions. */
async function working(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and state = 'active' and query like 'update api_version set search%'`.execute(
    service.db,
  )
  return rows[0]?.count ?? 0
}

test('an API with many versions is opened and closed', async () => {
  const { path, versionPath } = await addLarge('Opened', 200)
  const readers = async () =>
    (await Promise.all([path, versionPath].map((each) => nobody.get(each)))).map(({ status }) => status)
  expect(await readers()).toEqual([401, 401])
  expect((await admin.send('PUT', path, { body: { Visibility: 'Public' } })).status).toBe(200)
  expect(await readers()).toEqual([200, 200])
  const opened = itemsOf([await nobody.get('/api/apis/versions?count=100&name=copy+1')])
  expect(opened.length).toBe(100)
  expect((await admin.send('PUT', `${versionPath}/info`, { body: { Visibility: 'Limited' } })).status).toBe(200)
  expect(await readers()).toEqual([401, 401])
  expect(itemsOf([await nobody.get('/api/apis/versions?count=100&name=copy+1')])).toEqual([])
})

test('an API with many versions gets another name, by which each is found', async () => {
  const { path, versionPath } = await addLarge('Former', 300)
  const renamed = admin.send('PUT', path, { body: { Name: 'Latter' } })
  await eventually(async () => expect(await working()).toBe(1))
  // Who reads it meanwhile does not wait, who changes it is asked to try again.
  expect((await admin.get(versionPath)).status).toBe(200)
  const { status, headers, json } = await admin.send('PUT', path, { body: { Description: 'another' } })
  expect([status, json.faultstring]).toEqual([503, 'Others are changing the same at this moment: try again.'])
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect((await renamed).status).toBe(200)
  expect(await titlesOf(admin, '/api/search?q=latter+word299')).toEqual(['Latter'])
  expect(await titlesOf(admin, '/api/search?q=former+word299')).toEqual([])
})

test('large changes leave connections to everybody else', async () => {
  const paths = [(await addLarge('One', 500)).path, (await addLarge('Other', 500)).path]
  const open = (path: string) => admin.send('PUT', path, { body: { Visibility: 'Public' } })
  const changes = Promise.all(paths.map(open))
  expect((await nobody.get('/readyz')).status).toBe(200)
  const answers = await changes
  const refusedAt = answers.findIndex(({ status }) => status === 503)
  expect(answers[1 - refusedAt]?.status).toBe(200)
  expect(answers[refusedAt]?.json.faultstring).toBe('Too many large changes are under way: try again.')
  const refused = paths[refusedAt] as string
  await eventually(async () => expect((await open(refused)).status).toBe(200))
})

test('a version that takes the place of many is opened and closed', async () => {
  const { apiId, older, newer } = await addTwoVersions(admin, { Visibility: 'Public' })
  await addCopies(older, 200)
  const api = apiId.split('.')[0] as string
  await execute(service.connection, [
    `update api_version set deprecated = now(), deprecation_changed = now(), successor_audience = 'Public',
       successor_id = '${newer.split('.')[0]}', successor_group_id = admin_group_id
     where api_id = '${api}' and id <> '${newer.split('.')[0]}'`,
  ])
  const links = async () => (await nobody.get(`/api/apis/versions/${older}`)).headers.link
  expect(await links()).toContain(newer)
  for (const Visibility of ['Limited', 'Public']) {
    const answer = await admin.send('PUT', `/api/apis/versions/${newer}`, { body: { Name: '2.0', Visibility } })
    expect(answer.status).toBe(200)
    expect((await links())?.includes(newer)).toBe(Visibility === 'Public')
  }
})

describe('what many have read, followed and rated', async () => {
  const stranger = await service.person()

  /** Adds an API with two versions, of which 200 consumers read one, and 40 users rate it and follow the API. */
  async function addMuchUsed() {
    const { apiId, older, newer } = await addTwoVersions(admin, { Visibility: 'Public' })
    const [api, version] = [apiId, older].map((id) => id.split('.')[0])
    await execute(service.connection, [
      `insert into version_reads select '${version}', '2026-01-01', null, 'agent ' || n, 1 from generate_series(1, 200) n`,
      `with added as (
         insert into app_user (id, domain_id, user_name, email)
         select id, 'siteusers', id, id from (select gen_random_uuid() from generate_series(1, 40)) u (id) returning id),
       followed as (insert into api_follower select '${api}', id from added)
       insert into version_rating select '${version}', id, 5 from added`,
    ])
    return { api: `/api/apis/${apiId}`, older: `/api/apis/versions/${older}`, newer: `/api/apis/versions/${newer}` }
  }

  test.each(['api', 'older'] as const)('is removed: %s', async (what) => {
    const paths = await addMuchUsed()
    expect((await stranger.client.send('DELETE', paths[what])).status).toBe(401)
    expect((await admin.get(`${paths.older}/consumers`)).json).toHaveLength(20)
    expect((await admin.send('DELETE', paths[what])).status).toBe(200)
    expect((await admin.get(paths.older)).status).toBe(404)
    expect((await admin.get(paths.newer)).status).toBe(what === 'api' ? 404 : 200)
  })
})

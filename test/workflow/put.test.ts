import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { execute } from '../support/database.ts'
import { exampleApi } from '../support/examples.ts'
import { idsOf } from '../support/lists.ts'
import { startService } from '../support/service.ts'
import { act, exampleWorkflow, named, putWorkflow, workflowOf, workflowPath } from '../support/workflow.ts'

const service = await startService()
const admin = await service.siteAdmin()
const adminId = (await admin.get('/api/login/status')).json.userFDN

const put = (workflow: object, headers = {}) => admin.send('PUT', workflowPath, { body: workflow, headers })
const remove = (headers = {}) => admin.send('DELETE', workflowPath, { headers })
const addApi = async () => (await admin.post('/api/apis', { ...exampleApi(), Visibility: 'Public' })).json
const versionOf = async (id: string) => (await admin.get(`/api/apis/versions/${id}`)).json
const historyOf = async (id: string) => (await admin.get(`/api/apis/versions/${id}/history`)).json

const one = () => workflowOf('new', ['new', 'open', 'done'], [['Publish: new > open'], ['Finish: new, open > done']])

test('is read as it was put, in JSON and XML, until it is removed', async () => {
  expect((await admin.get(workflowPath)).status).toBe(404)
  expect((await remove()).status).toBe(404)
  const answer = await put(exampleWorkflow('life'))
  expect([answer.status, answer.json]).toEqual([200, exampleWorkflow('life')])
  const asXml = await admin.get(workflowPath, { accept: 'application/xml' })
  expect(asXml.text).toContain('<Workflow><InitialAction><Name>@Create</Name>')
  const again = await admin.send('PUT', workflowPath, {
    body: asXml.text,
    headers: { 'content-type': 'application/xml' },
  })
  expect([again.status, again.json]).toEqual([200, exampleWorkflow('life')])
  expect((await remove()).status).toBe(200)
  expect((await admin.get(workflowPath)).status).toBe(404)
})

test('has an ETag; If-Match keeps one Site Admin from overwriting what another has put', async () => {
  await put(one())
  const { etag = '' } = (await admin.get(workflowPath)).headers
  expect((await admin.get(workflowPath, { 'if-none-match': etag })).status).toBe(304)
  expect((await put(one(), { 'if-match': etag })).status).toBe(200)
  expect((await put(one(), { 'if-match': etag })).status).toBe(412)
  expect((await remove({ 'if-match': etag })).status).toBe(412)
  expect((await admin.get(workflowPath, { 'if-none-match': etag })).status).toBe(200)
  expect((await remove()).status).toBe(200)
})

describe('while versions stand in states that it does not have', () => {
  test('is refused, names the states and counts the versions, unless it maps them', async () => {
    const [first, second, third] = [await addApi(), await addApi(), await addApi()]
    const without = workflowOf('new', ['new', 'done'], [['Finish: new > done']])
    const refused = await put(without)
    expect(refused.status).toBe(400)
    expect(refused.json.faultstring).toContain(`${named('open')} (3)`)
    expect((await versionOf(first.LatestVersionID)).State).toBe(named('open'))
    expect((await admin.get(workflowPath)).status).toBe(404)

    const before = await versionOf(first.LatestVersionID)
    const etag = String((await admin.get(`/api/apis/${first.APIID}?includeDefaultVersion=true`)).headers.etag)
    await admin.send('PUT', `/api/apis/versions/${second.LatestVersionID}/ratings/${adminId}`, { body: { Rating: 4 } })
    const mapped = await put({ ...without, StateMapping: [{ From: named('open'), To: named('new') }] })
    expect([mapped.status, mapped.json]).toEqual([200, without])
    const after = await versionOf(first.LatestVersionID)
    expect(after).toEqual({ ...before, State: named('new'), Updated: expect.any(String) })
    expect(after.Updated > before.Updated).toBe(true)
    expect((await versionOf(second.LatestVersionID)).RatingSummary.Four).toBe(1)
    expect((await historyOf(third.LatestVersionID))[0]).toMatchObject({
      Action: '@Map',
      FromState: named('open'),
      ToState: named('new'),
      UserID: adminId,
      Revision: 2,
      Time: (await versionOf(third.LatestVersionID)).Updated,
    })
    const api = await admin.get(`/api/apis/${first.APIID}?includeDefaultVersion=true`, { 'if-none-match': etag })
    expect([api.status, api.json.APIVersion.State]).toEqual([200, named('new')])
    expect((await act(admin, first.LatestVersionID, 'Finish')).status).toBe(200)
  })

  test('is not removed either; a last mapping leads to the open state', async () => {
    const refused = await remove()
    expect(refused.status).toBe(400)
    expect(refused.json.faultstring).toContain(`${named('new')} (2)`)
    expect(refused.json.faultstring).toContain(`${named('done')} (1)`)
    const StateMapping = ['new', 'done'].map((state) => ({ From: named(state), To: named('open') }))
    await putWorkflow(admin, { ...workflowOf('open', ['open']), StateMapping })
    expect((await remove()).status).toBe(200)
    const states = await service.db.selectFrom('api_version').select('state').distinct().execute()
    expect(states).toEqual([{ state: named('open') }])
  })
})

test('what it says of a state holds for the versions in it at once, which are not changed by that', async () => {
  const { LatestVersionID } = await addApi()
  const listed = async () => (await idsOf(service.client(), '/api/apis/versions')).includes(LatestVersionID)
  const rename = () => admin.send('PUT', `/api/apis/versions/${LatestVersionID}/info`, { body: { VersionNotes: 'x' } })
  const { etag } = (await admin.get(`/api/apis/versions/${LatestVersionID}`)).headers
  const hidden = workflowOf('open', ['open'])
  hidden.State = [{ Name: named('open'), Listed: false, ChangesAllowed: false }]
  await putWorkflow(admin, hidden)
  expect([await listed(), (await rename()).status]).toEqual([false, 400])
  expect((await admin.get(`/api/apis/versions/${LatestVersionID}`)).headers.etag).toBe(etag)
  expect(await historyOf(LatestVersionID)).toHaveLength(1)
  await putWorkflow(admin, workflowOf('open', ['open']))
  expect([await listed(), (await rename()).status]).toEqual([true, 200])
  await putWorkflow(admin, hidden)
  expect((await remove()).status).toBe(200)
  expect([await listed(), (await rename()).status]).toEqual([true, 200])
})

test('thousands of versions are moved', async () => {
  const { APIID, LatestVersionID } = await addApi()
  const source = LatestVersionID.split('.')[0]
  const copies = 4500
  await sql`insert into api_version (id, api_id, api_visibility, admin_group_id, name, visibility, state, created, updated, doc)
    select gen_random_uuid(), api_id, api_visibility, admin_group_id, 'copy ' || n, visibility, state, created, updated, doc
    from api_version, generate_series(1, ${copies}) n where id = ${source}`.execute(service.db)
  await sql`insert into version_history (version_id, revision, action, to_state)
    select id, 1, '@Create', state from api_version on conflict do nothing`.execute(service.db)
  const total = Number(
    (
      await service.db
        .selectFrom('api_version')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  )
  await putWorkflow(admin, { ...workflowOf('new', ['new']), StateMapping: [{ From: named('open'), To: named('new') }] })
  const moved = await sql<{ rows: number; history: number }>`select
    (select count(*)::integer from api_version
      where state = ${named('new')} and doc ->> 'State' = state and revision > 1
        and (doc ->> 'Updated')::timestamptz = updated and json_typeof(doc -> 'RatingSummary') = 'object') as rows,
    (select count(*)::integer from version_history where action = '@Map' and to_state = ${named('new')}
      and version_id in (select id from api_version where name like 'copy %')) as history`.execute(service.db)
  expect(moved.rows).toEqual([{ rows: total, history: copies }])
  await admin.send('DELETE', `/api/apis/${APIID}`)
  await putWorkflow(admin, {
    ...workflowOf('open', ['open']),
    StateMapping: [{ From: named('new'), To: named('open') }],
  })
  expect((await remove()).status).toBe(200)
})

test('versions that take longer to write than an ordinary statement may are moved', async () => {
  const { APIID, LatestVersionID } = await addApi()
  await execute(service.connection, [
    `insert into api_version (id, api_id, api_visibility, admin_group_id, name, visibility, state, created, updated, doc)
      select gen_random_uuid(), api_id, api_visibility, admin_group_id, 'large ' || n, visibility, state, created, updated,
        replace(doc::text, '"Operations":', '"Notes":"' || repeat('a', 4000000) || '","Operations":')::json
      from api_version, generate_series(1, 40) n where id = '${LatestVersionID.split('.')[0]}'`,
  ])
  await putWorkflow(admin, { ...workflowOf('new', ['new']), StateMapping: [{ From: named('open'), To: named('new') }] })
  expect((await versionOf(LatestVersionID)).State).toBe(named('new'))
  await admin.send('DELETE', `/api/apis/${APIID}`)
  await putWorkflow(admin, {
    ...workflowOf('open', ['open']),
    StateMapping: [{ From: named('new'), To: named('open') }],
  })
  expect((await remove()).status).toBe(200)
})

test('no version is added in a state that a workflow put meanwhile does not have', async () => {
  const { APIID } = await addApi()
  const cycle = ['open', 'a', 'b', 'c', 'open']
  let adding = true
  const added: Promise<void>[] = [1, 2, 3].map(async (adder) => {
    for (let n = 0; adding; n++) {
      const answer = await admin.post(`/api/apis/${APIID}/versions`, { Name: `raced ${adder} ${n}` })
      expect([200, 503]).toContain(answer.status)
    }
  })
  for (const [place, state] of cycle.entries()) {
    const StateMapping = place > 0 ? [{ From: named(cycle[place - 1] as string), To: named(state) }] : []
    await putWorkflow(admin, { ...workflowOf(state, [state]), StateMapping })
    const strangers = await sql`select v.state, v.doc ->> 'State' as told from api_version v, workflow w
      where (v.state, v.doc ->> 'State') <> (w.initial ->> 'state', w.initial ->> 'state')`.execute(service.db)
    expect(strangers.rows).toEqual([])
  }
  adding = false
  await Promise.all(added)
  expect((await remove()).status).toBe(200)
})

test('a Site Admin who is one no more puts nothing', async () => {
  const { client, id } = await service.person('SiteAdmin')
  await service.db
    .deleteFrom('role_grant')
    .where('user_id', '=', String(id).split('.')[0] as string)
    .execute()
  const answer = await client.send('PUT', workflowPath, { body: one() })
  expect([answer.status, (await admin.get(workflowPath)).status]).toEqual([401, 404])
})

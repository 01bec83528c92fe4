import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { exampleApi } from '../support/examples.ts'
import { startService } from '../support/service.ts'
import { act, named, offered, putWorkflow, workflowOf } from '../support/workflow.ts'
import { writeUntilRefused } from '../support/writers.ts'

const service = await startService()
const replica = await startService({}, service.connection)
const siteAdmin = await service.siteAdmin()
const owner = await service.person('BusinessAdmin')
const apiAdmin = await service.person()
const businessAdmin = await service.person('BusinessAdmin')
const stranger = await service.person()
const people: Record<string, Client> = {
  APIAdmin: apiAdmin.client,
  BusinessAdmin: businessAdmin.client,
  SiteAdmin: siteAdmin,
  nobody: stranger.client,
}

const states = ['new', 'review', 'open', 'done']
const end: [string] = ['End: new, review, open > done']
let id = ''
let apiId = ''

/** Puts a workflow in place, and makes a version that begins in its state `new`. */
async function begin(workflow: ReturnType<typeof workflowOf>, version: object = { Name: '1.0' }): Promise<void> {
  // Those of the tests before stand where every workflow has a state.
  await sql`update api_version set state = ${named('new')}`.execute(service.db)
  await putWorkflow(siteAdmin, workflow)
  const added = await owner.client.post('/api/apis', { ...exampleApi(), Visibility: 'Public', APIVersion: version })
  await owner.client.post(`/api/groups/${added.json.AdminGroupID}/members`, { UserID: apiAdmin.id })
  id = added.json.LatestVersionID
  apiId = added.json.APIID
}

const stateOf = async () => (await siteAdmin.get(`/api/apis/versions/${id}`)).json.State
const history = async () => (await siteAdmin.get(`/api/apis/versions/${id}/history`)).json

describe('who may take an action', () => {
  const each = ['APIAdmin', 'BusinessAdmin', 'SiteAdmin']
  beforeEach(async () => {
    const own = each.map((who): [string, object] => [`For ${who}: new > review`, { Who: [who] }])
    await begin(workflowOf('new', states, [...own, ['Open: review > open'], end]))
  })

  test.each(Object.keys(people))('%s: exactly those that name them', async (who) => {
    const client = people[who] as Client
    const own = each.includes(who) ? [`For ${who}`, 'End'] : []
    expect(await offered(client, id)).toEqual(own)
    for (const other of each.filter((one) => one !== who)) {
      const { status, json } = await act(client, id, `For ${other}`)
      expect([status, json.faultcode]).toEqual([401, 'Unauthorized'])
    }
    expect(await stateOf()).toBe(named('new'))
    if (own.length === 0) return
    expect((await act(client, id, `For ${who}`)).status).toBe(200)
    expect(await stateOf()).toBe(named('review'))
  })

  test('nobody who is not signed in', async () => {
    expect((await service.client().get(`/api/workflow/objects/${id}/actions`)).status).toBe(401)
    expect((await act(service.client(), id, 'End')).status).toBe(401)
  })
})

describe('an action', () => {
  beforeEach(async () => {
    const CommentRequired = true
    await begin(
      workflowOf('new', states, [
        ['Submit: new > review', { Title: 'Hand in' }],
        ['Open: review > open', { CommentRequired }],
        end,
      ]),
    )
  })

  test('is offered with its title, its target and whether it needs a comment, in JSON and XML', async () => {
    const { json } = await siteAdmin.get(`/api/workflow/objects/${id}/actions`)
    expect(json.Action[0]).toEqual({
      Name: 'Submit',
      Title: 'Hand in',
      To: named('review'),
      ToTitle: named('review'),
      CommentRequired: false,
    })
    const { text } = await siteAdmin.get(`/api/workflow/objects/${id}/actions`, { accept: 'application/xml' })
    expect(text).toContain('<WorkflowActions><Action><Name>Submit</Name><Title>Hand in</Title>')
  })

  test('gives the version in its new state, which stands in its history', async () => {
    const before = (await siteAdmin.get(`/api/apis/versions/${id}`)).json
    const api = (await siteAdmin.get(`/api/apis/${apiId}`)).headers.etag as string
    const answer = await act(apiAdmin.client, id, 'Submit', 'Please look.\nThank you.')
    expect([answer.status, answer.headers['platform-renew-token']]).toEqual([200, 'renew'])
    expect(answer.json).toEqual({ ...before, State: named('review'), Updated: expect.any(String) })
    expect((await siteAdmin.get(`/api/apis/versions/${id}`)).json).toEqual(answer.json)
    expect((await history())[0]).toEqual({
      Revision: 2,
      Time: answer.json.Updated,
      UserID: apiAdmin.id,
      UserName: apiAdmin.email,
      Action: 'Submit',
      FromState: named('new'),
      ToState: named('review'),
      Comments: 'Please look.\nThank you.',
    })
    expect((await siteAdmin.get(`/api/apis/${apiId}`, { 'if-none-match': api })).status).toBe(200)
  })

  test('may be sent to the version, in XML too', async () => {
    const xml = '<ActionRequest><ActionName>Submit</ActionName></ActionRequest>'
    const headers = { 'content-type': 'application/xml', accept: 'application/xml' }
    const answer = await siteAdmin.post(`/api/apis/versions/${id}/action`, xml, headers)
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(`<State>${named('review')}</State>`)])
  })

  test('with Accept: text/plain it is answered without a body; a refusal has one', async () => {
    const accept = 'text/plain'
    const done = await act(siteAdmin, id, 'Submit', undefined, { accept })
    expect([done.status, done.text, done.headers['platform-renew-token']]).toEqual([200, '', 'renew'])
    expect(await stateOf()).toBe(named('review'))
    const refused = await act(siteAdmin, id, 'Submit', undefined, { accept })
    expect([refused.status, refused.headers['content-type']]).toEqual([400, 'application/json; charset=utf-8'])
    expect(refused.json.faultstring).toContain('is not possible')
  })

  test('that is not possible from this state: 400 with the possible ones', async () => {
    for (const name of ['Open', 'Unheard of', '@Create', '@Map', '__proto__']) {
      const { status, json } = await act(siteAdmin, id, name)
      expect([status, json.errors[0].pointer]).toEqual([400, '/ActionName'])
      for (const word of [named('new'), '"Submit", "End"']) expect(json.faultstring).toContain(word)
    }
  })

  test('that needs a comment: 400 without', async () => {
    await act(siteAdmin, id, 'Submit')
    for (const comment of [undefined, '', ' \n']) {
      const { status, json } = await act(siteAdmin, id, 'Open', comment)
      expect([status, json.errors[0].pointer]).toEqual([400, '/Comments'])
    }
    expect((await act(siteAdmin, id, 'Open', 'Fine.')).status).toBe(200)
  })

  test('is taken once, however often it is sent with one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = await act(siteAdmin, id, 'Submit', undefined, headers)
    const again = await act(siteAdmin, id, 'Submit', undefined, headers)
    expect([again.status, again.json]).toEqual([200, first.json])
    expect(again.headers['platform-renew-token']).toBe('renew')
    expect(await history()).toHaveLength(2)
  })

  test('is taken on the version that If-Match names only', async () => {
    const { etag = '' } = (await siteAdmin.get(`/api/apis/versions/${id}`)).headers
    await siteAdmin.send('PUT', `/api/apis/versions/${id}/info`, { body: { VersionNotes: 'another' } })
    expect((await act(siteAdmin, id, 'Submit', undefined, { 'if-match': etag })).status).toBe(412)
    expect((await act(siteAdmin, id, 'Submit', undefined, { 'if-match': '*' })).status).toBe(200)
  })

  test('on what is no version: 404 that names the kind', async () => {
    for (const wrong of ['none', `${randomUUID()}.platform`]) {
      expect((await act(siteAdmin, wrong, 'Submit')).status).toBe(404)
      expect((await siteAdmin.get(`/api/workflow/objects/${wrong}/actions`)).status).toBe(404)
    }
    for (const answer of [
      await act(siteAdmin, apiId, 'Submit'),
      await siteAdmin.get(`/api/workflow/objects/${apiId}/actions`),
    ]) {
      expect([answer.status, answer.json.faultstring]).toEqual([404, expect.stringContaining('[api]')])
    }
  })

  test('bad bodies: 400 with the place', async () => {
    for (const body of [{}, { ActionName: '' }, { ActionName: 5 }, { ActionName: 'Submit', Comment: 'x' }]) {
      expect((await siteAdmin.post(`/api/workflow/objects/${id}/actions`, body)).status).toBe(400)
    }
    expect(await stateOf()).toBe(named('new'))
  })
})

test('without a workflow there are no actions', async () => {
  await begin(workflowOf('new', states, [['Open: new > open'], ['Next: open > review'], end]))
  await service.db.updateTable('workflow').set({ document: null, initial: null, revision: 1000 }).execute()
  expect(await offered(siteAdmin, id)).toEqual([])
  const { status, json } = await act(siteAdmin, id, 'Open')
  expect([status, json.faultstring]).toEqual([400, expect.stringContaining('No workflow')])
})

/** Moves what was said of a version's deprecation, and its time, so many days into the past. */
async function deprecatedFor(versionId: string, days: number): Promise<void> {
  const then = sql<Date>`now() - make_interval(days => ${days})`
  const { db } = service
  await db
    .updateTable('api_version')
    .set({ deprecated: then, deprecation_changed: then })
    .where('id', '=', versionId)
    .execute()
  await db
    .updateTable('version_history')
    .set({ at: then })
    .where('version_id', '=', versionId)
    .where('action', '=', '@Deprecate')
    .execute()
}

describe('a condition', () => {
  const operation = { Operation: [{ Name: 'listPets', Method: 'GET', Path: '/pets' }] }
  const production = { Endpoint: [{ Uri: 'https://a.example', Category: 'Production' }] }
  const sandbox = { Endpoint: [{ Uri: 'https://a.example', Category: 'Sandbox' }] }
  test.each<[object, string, object[], object[]]>([
    [{ HasDescription: true }, 'a Description', [{}, { Description: ' ' }], [{ Description: 'Pets.' }]],
    [
      { HasProductionEndpoint: true },
      'a production endpoint',
      [{}, { ProductionEndpoint: null }, { Endpoints: sandbox }, { SandboxEndpoint: 'https://a.example' }],
      [{ ProductionEndpoint: 'https://a.example' }, { Endpoints: production }],
    ],
    [{ HasOperations: true }, 'operations', [{}, { Operations: {} }], [{ Operations: operation }]],
    [{ HasDescription: false }, '', [], [{}]],
  ])('%j is met or said', async (Condition, missing, unmet, met) => {
    const workflow = workflowOf('new', ['new', 'done'], [['End: new > done', { Condition }]])
    for (const members of unmet) {
      await begin(workflow, { Name: '1.0', ...members })
      expect(await offered(siteAdmin, id)).toEqual([])
      const { status, json } = await act(siteAdmin, id, 'End')
      expect([status, json.faultstring]).toEqual([400, expect.stringContaining(missing)])
    }
    for (const members of met) {
      await begin(workflow, { Name: '1.0', ...members })
      expect(await offered(siteAdmin, id)).toEqual(['End'])
      expect((await act(siteAdmin, id, 'End')).status).toBe(200)
    }
  })

  test('UnreadForDays asks for as old a deprecation, and for nobody who has read it since', async () => {
    await begin(workflowOf('new', ['new', 'done'], [['End: new > done', { Condition: { UnreadForDays: 7 } }]]))
    const versionId = id.split('.')[0] as string
    const readBefore = async (days: number) => {
      await sql`delete from version_reads where version_id = ${versionId}`.execute(service.db)
      await sql`insert into version_reads (version_id, day, agent, reads)
        values (${versionId}, (now() at time zone 'UTC')::date - ${days}::integer, 'curl', 1)`.execute(service.db)
    }
    const says = async () => (await act(siteAdmin, id, 'End')).json.faultstring
    expect([await offered(siteAdmin, id), await says()]).toEqual([[], expect.stringContaining('deprecation')])
    // Before that is said nobody counts who reads, so a time in the past is no proof.
    const said = await siteAdmin.send('PUT', `/api/apis/versions/${id}/deprecation`, {
      body: { Deprecated: '2020-01-01T00:00:00Z' },
    })
    expect([said.status, await offered(siteAdmin, id)]).toEqual([200, []])
    expect(await says()).toContain('deprecation')
    await deprecatedFor(versionId, 6)
    expect([await offered(siteAdmin, id), await says()]).toEqual([[], expect.stringContaining('7 days')])
    await deprecatedFor(versionId, 30)
    await readBefore(6)
    expect([await offered(siteAdmin, id), await says()]).toEqual([[], expect.stringContaining('without a reader')])
    await readBefore(7)
    expect(await offered(siteAdmin, id)).toEqual(['End'])
    const readToday = (userId: string) =>
      sql`insert into version_reads (version_id, day, user_id, reads)
        values (${versionId}, (now() at time zone 'UTC')::date, ${userId.split('.')[0]}, 1)`.execute(service.db)
    await readToday(apiAdmin.id)
    expect(await offered(siteAdmin, id)).toEqual(['End'])
    await readToday(businessAdmin.id)
    expect(await offered(siteAdmin, id)).toEqual([])
    await readBefore(7)
    expect((await act(siteAdmin, id, 'End')).status).toBe(200)
  })

  test('UnreadForDays begins anew when the version was undeprecated, not when what is said of it is mended', async () => {
    await begin(workflowOf('new', ['new', 'done'], [['End: new > done', { Condition: { UnreadForDays: 7 } }]]))
    const path = `/api/apis/versions/${id}/deprecation`
    const say = (body: object) => siteAdmin.send('PUT', path, { body })
    await say({ Deprecated: '2020-01-01T00:00:00Z', Notes: 'Goes in Marhc.' })
    await deprecatedFor(id.split('.')[0] as string, 8)
    expect(await offered(siteAdmin, id)).toEqual(['End'])
    expect((await say({ Notes: 'Goes in March.' })).status).toBe(200)
    expect(await offered(siteAdmin, id)).toEqual(['End'])
    // From a time on that lies ahead, it is not deprecated until then.
    expect((await say({ Deprecated: new Date(Date.now() + 60_000).toISOString() })).status).toBe(200)
    expect(await offered(siteAdmin, id)).toEqual([])
    expect((await say({ Deprecated: '2020-01-01T00:00:00Z' })).status).toBe(200)
    expect(await offered(siteAdmin, id)).toEqual(['End'])

    expect((await siteAdmin.send('DELETE', path)).status).toBe(200)
    expect((await say({ Deprecated: '2020-01-01T00:00:00Z' })).status).toBe(200)
    expect(await offered(siteAdmin, id)).toEqual([])
  })

  test('UnreadForDays knows who has read it a moment ago', async () => {
    const workflow = workflowOf('new', ['new', 'done'], [['End: new > done', { Condition: { UnreadForDays: 1 } }]])
    for (const ask of [() => offered(siteAdmin, id), async () => (await act(siteAdmin, id, 'End')).json.errors]) {
      await begin(workflow, { Name: '1.0', Visibility: 'Public' })
      await siteAdmin.send('PUT', `/api/apis/versions/${id}/deprecation`, { body: {} })
      await deprecatedFor(id.split('.')[0] as string, 2)
      expect((await businessAdmin.client.get(`/api/apis/versions/${id}`)).status).toBe(200)
      expect(await ask()).not.toEqual(['End'])
      expect(await stateOf()).toBe(named('new'))
    }
  })
})

describe('at once', () => {
  test('of 16 callers one wins, the others hear which state it is in now and what is possible', async () => {
    await begin(workflowOf('new', states, [['Submit: new > review'], ['Open: new > open'], end]))
    const there = replica.client()
    await there.signIn(businessAdmin.email, businessAdmin.password)
    const callers = [apiAdmin.client, businessAdmin.client, siteAdmin, there]
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => act(callers[n % 4] as Client, id, n % 2 ? 'Open' : 'Submit')),
    )
    const [winner, ...more] = answers.filter(({ status }) => status === 200)
    expect(more).toEqual([])
    const state = winner?.json.State
    for (const { status, json } of answers.filter((answer) => answer !== winner)) {
      expect([status, json.faultstring]).toEqual([400, expect.stringContaining(state)])
      expect(json.faultstring).toContain('possible for you: "End"')
    }
    expect(await stateOf()).toBe(state)
    expect((await history()).map(({ ToState }: { ToState: string }) => ToState)).toEqual([state, named('new')])
  })

  test('an action and a rating, and an action and an edit, lose nothing of each other', async () => {
    await begin(
      workflowOf('new', states, [['Submit: new > review'], ['Back: review > new'], ['Open: new > open'], end]),
    )
    for (let round = 0; round < 5; round++) {
      const [moved, rated, edited] = await Promise.all([
        act(siteAdmin, id, round % 2 ? 'Back' : 'Submit'),
        stranger.client.send('PUT', `/api/apis/versions/${id}/ratings/${stranger.id}`, { body: { Rating: round + 1 } }),
        apiAdmin.client.send('PUT', `/api/apis/versions/${id}/info`, { body: { VersionNotes: `round ${round}` } }),
      ])
      expect([moved.status, rated.status, edited.status]).toEqual([200, 200, 200])
      const { State, Description, RatingSummary } = (await siteAdmin.get(`/api/apis/versions/${id}`)).json
      expect([State, Description]).toEqual([named(round % 2 ? 'new' : 'review'), `round ${round}`])
      expect(Object.values(RatingSummary)[4 - round]).toBe(1)
    }
  })

  test('nothing happens after the role that it needs was taken away', async () => {
    await begin(
      workflowOf('new', states, [
        ['Turn: new > review', { Who: ['BusinessAdmin'] }],
        ['Turn: review > new'],
        ['Open: review > open'],
        end,
      ]),
    )
    const { client, id: userId } = await service.person('BusinessAdmin')
    const taken = async () => {
      const entries = service.db.selectFrom('version_history').where('user_id', '=', userId.split('.')[0] as string)
      return (await entries.select('revision').execute()).length
    }
    const elsewhere = await replica.siteAdmin()
    const refused = writeUntilRefused(() => act(client, id, 'Turn'))
    await expect.poll(taken, { interval: 5 }).toBeGreaterThan(4)
    const take = () => elsewhere.send('DELETE', `/api/users/${userId}/roles/BusinessAdmin`)
    await expect.poll(async () => (await take()).status, { timeout: 3000, interval: 1 }).toBe(200)
    const before = await taken()
    expect(await refused).toEqual([401, 401, 401, 401])
    expect(await taken()).toBe(before)
  })
})

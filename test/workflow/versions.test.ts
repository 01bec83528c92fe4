import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../support/client.ts'
import { exampleApi, exampleVersion } from '../support/examples.ts'
import { fixture } from '../support/fixtures.ts'
import { descriptorOf } from '../support/form.ts'
import { idsOf } from '../support/lists.ts'
import { startService } from '../support/service.ts'
import { newName } from '../support/version-body.ts'
import { act, named, putWorkflow, workflowOf } from '../support/workflow.ts'

const service = await startService()
const admin = await service.siteAdmin()
const replica = await startService({}, service.connection)

const v81 = 'application/vnd.platform.v81+json'
const newer = { 'content-type': v81, accept: v81 }
const { APIID: before } = (await admin.post('/api/apis', exampleApi())).json

const workflow = workflowOf(
  'review',
  ['review', 'open', 'closed'],
  [['Approve: review > open'], ['Close: review, open > closed'], ['Reopen: closed > open'], ['End: closed > ended']],
)
workflow.State = [
  { Name: named('review'), Title: 'In review', Listed: false },
  { Name: named('open') },
  { Name: named('closed'), ChangesAllowed: false },
  { Name: named('ended') },
]
await putWorkflow(admin, workflow)

const addApi = async (members = {}) => (await admin.post('/api/apis', { ...exampleApi(), ...members })).json
const readVersion = async (id: string) => (await admin.get(`/api/apis/versions/${id}`)).json
const { APIID, LatestVersionID } = await addApi()
const versions = `/api/apis/${APIID}/versions`
const postNewer = (path: string, body: object) => admin.post(path, JSON.stringify(body), newer)

const ways: [string, () => Promise<Answer>][] = [
  ['adding a version', () => admin.post(versions, { Name: newName() })],
  ['adding it from scratch', () => postNewer(versions, { APIVersionInfo: { Name: newName() } })],
  [
    'copying another version',
    () =>
      postNewer(versions, {
        APIVersionInfo: { Name: newName() },
        CloneAPIVersionRequest: { SourceAPIVersionID: LatestVersionID, CloneDesign: true, CloneImplementations: true },
      }),
  ],
  [
    'reading it from a file',
    async () =>
      postNewer(versions, {
        APIVersionInfo: { Name: newName() },
        DLDescriptor: await descriptorOf(admin, fixture('petstore-3.0.yaml')),
      }),
  ],
  ['adding an API', () => admin.post('/api/apis', exampleApi())],
  [
    'adding an API by name',
    () =>
      postNewer('/api/apis', {
        APIVersionInfo: { Name: newName() },
        AddAPIImplementationRequest: { CreateMechanism: 'PROXY' },
      }),
  ],
  [
    'an update that adds',
    () => admin.send('PUT', `/api/apis/${before}`, { body: { APIVersion: { Name: newName() } } }),
  ],
]

test.each(ways)('%s has the version begin where @Create leads', async (_way, add) => {
  const { status, json, text } = await add()
  expect(status, text).toBe(200)
  const version = json.Operations ? json : await readVersion(json.APIVersion.APIVersionID)
  expect(version.State).toBe(named('review'))
  expect((await readVersion(version.APIVersionID)).State).toBe(named('review'))
  const [entry, ...more] = (await admin.get(`/api/apis/versions/${version.APIVersionID}/history`)).json
  expect([entry.Action, entry.ToState, entry.FromState, more]).toEqual(['@Create', named('review'), undefined, []])
})

const isRefused = ({ status, json }: Answer, pointer: string, ...words: string[]) => {
  expect([status, json.errors]).toEqual([400, [{ pointer, message: expect.any(String) }]])
  for (const word of words) expect(json.faultstring).toContain(word)
}

test('a body may name that state, and no other', async () => {
  const body = { ...exampleVersion(), Name: newName(), State: named('review') }
  expect((await admin.post(versions, body)).status).toBe(200)
  for (const State of [named('open'), named('none'), '']) {
    isRefused(await admin.post(versions, { Name: newName(), State }), '/State', named('review'), '@Create')
    const APIVersion = { Name: newName(), State }
    isRefused(await admin.post('/api/apis', { ...exampleApi(), APIVersion }), '/APIVersion/State', '@Create')
    const change = await admin.send('PUT', `/api/apis/${APIID}`, { body: { APIVersion } })
    isRefused(change, '/APIVersion/State', '@Create')
  }
})

describe('an update', () => {
  const updates = (id: string, State: string): [() => Promise<Answer>, string][] => [
    [() => admin.send('PUT', `/api/apis/versions/${id}`, { body: { Name: '1.0', State } }), '/State'],
    [
      () => admin.send('PUT', `/api/apis/${APIID}`, { body: { APIVersion: { APIVersionID: id, State } } }),
      '/APIVersion/State',
    ],
  ]

  test('does not change the state, and says which action does', async () => {
    for (const [update, pointer] of updates(LatestVersionID, named('open'))) {
      isRefused(await update(), pointer, named('review'), '"Approve"')
    }
    for (const [update, pointer] of updates(LatestVersionID, named('none'))) {
      isRefused(await update(), pointer, named('review'), 'none leads from there')
    }
    expect((await readVersion(LatestVersionID)).State).toBe(named('review'))
  })

  test('is refused by the workflow that the process remembers', async () => {
    const there = await replica.siteAdmin()
    expect((await there.get(`/api/apis/versions?state=${named('review')}`)).status).toBe(200)
    const { db } = service
    const { document } = await db
      .selectFrom('workflow')
      .select(sql<string>`document::text`.as('document'))
      .executeTakeFirstOrThrow()
    // Another document under the same revision: whoever reads it anew would find no action.
    await db.updateTable('workflow').set({ document: '{"State": [], "Action": []}' }).execute()
    const refused = await there.send('PUT', `/api/apis/versions/${LatestVersionID}`, {
      body: { Name: '1.0', State: named('open') },
    })
    await db.updateTable('workflow').set({ document }).execute()
    isRefused(refused, '/State', named('review'), '"Approve"')
  })

  test('may name the state that the version has', async () => {
    for (const [update] of updates(LatestVersionID, named('review'))) {
      const { status, text } = await update()
      expect(status, text).toBe(200)
    }
    expect((await readVersion(LatestVersionID)).State).toBe(named('review'))
  })
})

describe('in a state in which nothing changes', () => {
  const contents = (api: string, id: string): [string, string, object][] => [
    ['a replaced version', `/api/apis/versions/${id}`, { Name: 'another' }],
    ['a change of the version', `/api/apis/${api}`, { APIVersion: { APIVersionID: id, Description: 'another' } }],
    ['other notes', `/api/apis/versions/${id}/info`, { VersionNotes: 'another' }],
    ['other tags', `/api/apis/versions/${id}/info`, { Tags: ['another'] }],
  ]

  test('changes of content are refused with its name, and leave nothing behind', async () => {
    const { APIID, LatestVersionID } = await addApi()
    await act(admin, LatestVersionID, 'Close')
    const before = [await readVersion(LatestVersionID), (await admin.get(`/api/apis/${APIID}`)).json]
    for (const [what, path, body] of contents(APIID, LatestVersionID)) {
      const { status, json } = await admin.send('PUT', path, { body })
      expect([what, status]).toEqual([what, 400])
      expect(json.faultstring).toContain(named('closed'))
    }
    expect([await readVersion(LatestVersionID), (await admin.get(`/api/apis/${APIID}`)).json]).toEqual(before)
    await act(admin, LatestVersionID, 'Reopen')
    for (const [what, path, body] of contents(APIID, LatestVersionID)) {
      expect([what, (await admin.send('PUT', path, { body })).status]).toEqual([what, 200])
    }
  })

  test('what changes the API only is fine, as are ratings, and removing the version', async () => {
    const { APIID, LatestVersionID } = await addApi()
    await act(admin, LatestVersionID, 'Close')
    const version = await readVersion(LatestVersionID)
    const whole = (await admin.get(`/api/apis/${APIID}?includeDefaultVersion=true`)).json
    for (const [path, body] of [
      [`/api/apis/${APIID}`, { Description: 'another' }],
      [`/api/apis/${APIID}`, { ...whole, Description: 'yet another' }],
      [`/api/apis/versions/${LatestVersionID}/info`, { ApiName: 'Another name' }],
    ] as const) {
      const { status, text } = await admin.send('PUT', path, { body })
      expect(status, text).toBe(200)
    }
    expect(await readVersion(LatestVersionID)).toEqual(version)
    const { userFDN } = (await admin.get('/api/login/status')).json
    const rating = await admin.send('PUT', `/api/apis/versions/${LatestVersionID}/ratings/${userFDN}`, {
      body: { Rating: 5 },
    })
    expect(rating.status).toBe(200)
    expect((await admin.send('DELETE', `/api/apis/versions/${LatestVersionID}`)).status).toBe(200)
  })
})

describe('in a state that is not listed', () => {
  test('ordinary readers meet the version in no list or search, and its administrators in all', async () => {
    const owner = await service.person('BusinessAdmin')
    const word = `unlisted${Date.now()}`
    const added = await owner.client.post('/api/apis', {
      ...exampleApi(),
      Name: word,
      Visibility: 'Public',
      APIVersion: { Name: '1.0', Description: `${word}version` },
    })
    const { APIID, LatestVersionID } = added.json
    const everywhere = async (client: typeof admin) => [
      (await idsOf(client, '/api/apis/versions')).includes(LatestVersionID),
      (await idsOf(client, `/api/apis/${APIID}/versions`)).length,
      (await idsOf(client, `/api/search?q=${word}version`)).includes(APIID),
      (await idsOf(client, `/api/apis?state=${named('review')}`)).includes(APIID),
    ]
    for (const client of [service.client(), (await service.person()).client]) {
      expect(await everywhere(client)).toEqual([false, 0, false, false])
      expect((await client.get(`/api/apis/versions/${LatestVersionID}`)).status).toBe(200)
    }
    expect(await everywhere(owner.client)).toEqual([true, 1, true, true])
    await act(owner.client, LatestVersionID, 'Approve')
    expect((await everywhere(service.client())).slice(0, 3)).toEqual([true, 1, true])
  })
})

test('lists are narrowed to any of its states, and to no other, on every replica', async () => {
  const { LatestVersionID: id } = await addApi()
  const inState = (state: string) => idsOf(admin, `/api/apis/versions?state=${named(state)}`)
  expect([(await inState('review')).includes(id), (await inState('closed')).includes(id)]).toEqual([true, false])
  for (const client of [admin, replica.client()]) {
    for (const path of ['/api/apis', '/api/apis/versions', `/api/apis/${before}/versions`]) {
      const wrong = await client.get(`${path}?state=${named('none')}`)
      expect([wrong.status, wrong.json.errors[0].pointer]).toEqual([400, '/state'])
      // Which there are is nothing for everybody.
      expect(wrong.json.faultstring.includes(named('review'))).toBe(client === admin)
      expect((await client.get(`${path}?state=${named('closed')}`)).status).toBe(200)
    }
  }
})

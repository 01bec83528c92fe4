import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { exampleApi } from '../support/examples.ts'
import { idsOf } from '../support/lists.ts'
import { startService } from '../support/service.ts'
import { newName } from '../support/version-body.ts'
import { act, exampleWorkflow, named, putWorkflow } from '../support/workflow.ts'

const service = await startService()
const admin = await service.siteAdmin()
await putWorkflow(admin, exampleWorkflow('review'))

const owner = (await service.person('BusinessAdmin')).client
const strangers = [service.client(), (await service.person()).client]

async function approve(version: string): Promise<void> {
  const { status, text } = await act(admin, version, 'Approve')
  if (status !== 200) throw new Error(`could not approve a version: ${text}`)
}

/** A public API, whose first version is approved unless said otherwise. */
async function addApi(approved = true): Promise<{ APIID: string; first: string }> {
  const { APIID, LatestVersionID: first } = (
    await owner.post('/api/apis', { ...exampleApi(), Name: newName(), Visibility: 'Public' })
  ).json
  if (approved) await approve(first)
  return { APIID, first }
}
const addVersion = async (api: string, members = {}): Promise<string> =>
  (
    await owner.post(`/api/apis/${api}/versions`, {
      Description: 'Another one.',
      Name: newName(),
      Visibility: 'Public',
      ...members,
    })
  ).json.APIVersionID

const nested = (client: Client, api: string, headers = {}) =>
  client.get(`/api/apis/${api}?includeDefaultVersion=true`, headers)

/** The version that somebody is shown: by itself, nested, in the list of APIs, and the state that the list has. */
async function shown(client: Client, api: string) {
  const { items } = await pageWith(client, api)
  const whole = (await nested(client, api)).json
  return {
    latest: (await client.get(`/api/apis/${api}`)).json.LatestVersionID,
    nested: [whole.LatestVersionID, whole.APIVersion?.APIVersionID],
    listed: items.map(({ EntityReference }) => EntityReference?.Guid),
    open: (await idsOf(client, `/api/apis?state=${named('open')}`)).includes(api),
    review: (await idsOf(client, `/api/apis?state=${named('review')}`)).includes(api),
  }
}

interface Item {
  guid: { value: string }
  EntityReference?: { Guid: string }
}

async function pageWith(client: Client, api: string): Promise<{ items: Item[] }> {
  const { item }: { item: Item[] } = (await client.get('/api/apis?count=100')).json.channel
  return { items: item.filter(({ guid }) => guid.value === api) }
}

const showing = (id: string | undefined, state?: 'open' | 'review') => ({
  latest: id,
  nested: [id, id],
  listed: [id],
  open: state === 'open',
  review: state === 'review',
})

test('a newer version in review is shown to its administrators only, others keep the one before', async () => {
  const { APIID, first } = await addApi()
  const second = await addVersion(APIID)
  for (const stranger of strangers) {
    expect(await shown(stranger, APIID)).toEqual(showing(first, 'open'))
    expect((await stranger.get(`/api/apis/versions/${second}`)).status).toBe(200)
  }
  for (const client of [owner, admin]) expect(await shown(client, APIID)).toEqual(showing(second, 'review'))

  await approve(second)
  for (const client of [...strangers, owner]) expect(await shown(client, APIID)).toEqual(showing(second, 'open'))
})

test('so is one that they may not read, the newest of the others being shown', async () => {
  const { APIID } = await addApi()
  const second = await addVersion(APIID)
  await approve(second)
  const third = await addVersion(APIID, { Visibility: 'Limited' })
  await approve(third)
  for (const stranger of strangers) expect(await shown(stranger, APIID)).toEqual(showing(second, 'open'))
  expect(await shown(owner, APIID)).toEqual(showing(third, 'open'))
})

test('where there is no other, no version is shown', async () => {
  const { APIID, first } = await addApi(false)
  for (const stranger of strangers) expect(await shown(stranger, APIID)).toEqual(showing(undefined))
  expect(await shown(owner, APIID)).toEqual(showing(first, 'review'))
  const asXml = await nested(service.client(), APIID, { accept: 'application/xml' })
  expect([asXml.status, asXml.text.includes('LatestVersionID')]).toEqual([200, false])
})

test('the tag of such a read is another when another version is shown, also by other rules of a state', async () => {
  const { APIID } = await addApi()
  await addVersion(APIID)
  const paths = [`/api/apis/${APIID}`, `/api/apis/${APIID}?includeDefaultVersion=true`]
  const [stranger] = strangers as [Client]
  const tags = async () => Promise.all(paths.map(async (path) => (await stranger.get(path)).headers.etag as string))
  const before = await tags()
  const { State, ...workflow } = exampleWorkflow('review')
  await putWorkflow(admin, { ...workflow, State: State.map((state) => ({ ...state, Listed: true })) })
  for (const [place, path] of paths.entries()) {
    expect((await stranger.get(path, { 'if-none-match': before[place] as string })).status).toBe(200)
  }
  const after = await tags()
  await putWorkflow(admin, exampleWorkflow('review'))
  for (const [place, path] of paths.entries()) {
    expect((await stranger.get(path, { 'if-none-match': after[place] as string })).status).toBe(200)
    expect((await stranger.get(path, { 'if-none-match': before[place] as string })).status).toBe(304)
  }
})

test('readers of the version that is shown are told that it is deprecated', async () => {
  const { APIID, first } = await addApi()
  await addVersion(APIID)
  await owner.send('PUT', `/api/apis/versions/${first}/deprecation`, { body: {} })
  expect((await nested(service.client(), APIID)).headers.link).toContain(`/api/apis/versions/${first}/deprecation`)
  expect((await nested(owner, APIID)).headers.deprecation).toBeUndefined()
})

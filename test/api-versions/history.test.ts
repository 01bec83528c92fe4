import { expect, test } from 'vitest'
import { exampleApi, exampleVersion } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()
const v81 = 'application/vnd.platform.v81+json'
const newer = { 'content-type': v81, accept: v81 }
const open = 'com.platform.api.state.open'

async function added() {
  const { APIID, APIVersion } = (await admin.post('/api/apis', { ...exampleApi(), Visibility: 'Public' })).json
  return { api: `/api/apis/${APIID}`, version: `/api/apis/versions/${APIVersion.APIVersionID}` }
}

const historyOf = async (version: string) => (await admin.get(`${version}/history`)).json
const actionsOf = async (version: string) =>
  (await historyOf(version)).map(({ Revision, Action }: { Revision: number; Action: string }) => [Revision, Action])

test('says of every change when, who, what, from and to which state, and which revision it made', async () => {
  const { api, version } = await added()
  const person = await service.person('BusinessAdmin')
  const { AdminGroupID } = (await admin.get(api)).json
  await admin.post(`/api/groups/${AdminGroupID}/members`, { UserID: person.id })
  expect((await person.client.send('PUT', version, { body: exampleVersion() })).status).toBe(200)
  const { Created, Updated } = (await admin.get(version)).json
  expect(await historyOf(version)).toEqual([
    {
      Revision: 2,
      Time: Updated,
      UserID: person.id,
      UserName: person.email,
      Action: '@Modify',
      FromState: open,
      ToState: open,
    },
    {
      Revision: 1,
      Time: Created,
      UserID: expect.any(String),
      UserName: 'admin@localhost',
      Action: '@Create',
      ToState: open,
    },
  ])
})

test('each way to change a version makes one entry; a refused one, a rating and a read make none', async () => {
  const { api, version } = await added()
  const APIVersionID = version.split('/').at(-1)
  await admin.send('PUT', api, { body: { APIVersion: { APIVersionID, Description: 'by update' } } })
  await admin.send('PUT', `${version}/info`, { body: { VersionNotes: 'by info' } })
  await admin.send('PUT', version, { body: { ...exampleVersion(), Visibility: 'Nobody' } })
  await admin.send('PUT', api, { body: { APIVersion: { APIVersionID, State: 'none' } } })
  await admin.send('PUT', api, { body: { Description: 'of the API alone' } })
  const { userFDN } = (await admin.get('/api/login/status')).json
  expect((await admin.send('PUT', `${version}/ratings/${userFDN}`, { body: { Rating: 4 } })).status).toBe(200)
  await admin.get(version)
  expect(await actionsOf(version)).toEqual([
    [3, '@Modify'],
    [2, '@Modify'],
    [1, '@Create'],
  ])
})

test('changes at once have times in the order of their revisions', async () => {
  const { version } = await added()
  const put = () => admin.send('PUT', version, { body: exampleVersion() })
  await Promise.all(Array.from({ length: 24 }, put))
  const times: string[] = (await historyOf(version)).map(({ Time }: { Time: string }) => Time)
  expect(times.toSorted().toReversed()).toEqual(times)
  expect((await admin.get(version)).json.Updated).toBe(times[0])
})

test('begins in every way to add a version', async () => {
  const { api } = await added()
  const old = await admin.post(`${api}/versions`, exampleVersion())
  const byUpdate = await admin.send('PUT', api, { body: { APIVersion: { ...exampleVersion(), Name: 'by update' } } })
  const scratch = await admin.post(`${api}/versions`, { APIVersionInfo: { Name: 'newer' } }, newer)
  const newApi = await admin.post(
    '/api/apis',
    { APIVersionInfo: { Name: 'newer' }, AddAPIImplementationRequest: { CreateMechanism: 'PROXY' } },
    newer,
  )
  for (const { APIVersionID } of [old.json, byUpdate.json.APIVersion, scratch.json, newApi.json.APIVersion]) {
    expect(await actionsOf(`/api/apis/versions/${APIVersionID}`)).toEqual([[1, '@Create']])
  }
})

test('is paged', async () => {
  const { version } = await added()
  for (let times = 0; times < 4; times++)
    await admin.send('PUT', `${version}/info`, { body: { VersionNotes: `${times}` } })
  const seen: number[] = []
  let path: string | undefined = `${version}/history?count=2`
  while (path) {
    const answer = await admin.get(path)
    seen.push(...answer.json.map(({ Revision }: { Revision: number }) => Revision))
    path = /^<([^>]*)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
  }
  expect(seen).toEqual([5, 4, 3, 2, 1])
  expect(
    (await admin.get(`${version}/history?start=3`)).json.map(({ Revision }: { Revision: number }) => Revision),
  ).toEqual([2, 1])
})

test('as XML', async () => {
  const { version } = await added()
  const { text } = await admin.get(`${version}/history`, { accept: 'application/xml' })
  expect(text).toMatch(/<History><HistoryEntry><Revision>1<\/Revision><Time>[^<]+<\/Time>/)
  expect(text).toContain(`<Action>@Create</Action><ToState>${open}</ToState></HistoryEntry></History>`)
})

test('is for whoever may modify the version', async () => {
  const { api, version } = await added()
  const member = await service.person()
  const path = `${version}/history`
  expect((await service.client().get(path)).status).toBe(401)
  expect((await member.client.get(path)).status).toBe(401)
  const { AdminGroupID } = (await admin.get(api)).json
  await admin.post(`/api/groups/${AdminGroupID}/members`, { UserID: member.id })
  expect((await member.client.get(path)).status).toBe(200)
})

test('of what is no version: 404', async () => {
  const { api } = await added()
  for (const id of [api.split('/').at(-1), 'nothing']) {
    expect((await admin.get(`/api/apis/versions/${id}/history`)).status).toBe(404)
  }
})

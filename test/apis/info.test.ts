import { expect, test } from 'vitest'
import { exampleApi } from '../support/examples.ts'
import { lockWaits } from '../support/lock-waits.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()

const info = {
  ApiName: 'Zoo',
  ApiSummary: 'Animals at a glance',
  ApiDescription: 'All animals.',
  VersionName: 'one',
  VersionNotes: 'The first.',
  Tags: ['zoo', 'animals'],
  Visibility: 'Limited',
}

async function added() {
  const api = (await admin.post('/api/apis', exampleApi())).json
  return { apiId: api.APIID, id: api.APIVersion.APIVersionID, before: api.APIVersion }
}

test('the API and the version are changed, and the version answered', async () => {
  const { apiId, id, before } = await added()
  const { status, json } = await admin.send('PUT', `/api/apis/versions/${id}/info`, { body: info })
  expect(status).toBe(200)
  expect(json).toMatchObject({ Name: 'one', Description: 'The first.', Tag: info.Tags, Visibility: 'Limited' })
  expect(json.Operations.Operation[0].Path).toBe(before.Operations.Operation[0].Path)
  const api = (await admin.get(`/api/apis/${apiId}?includeDefaultVersion=true`)).json
  expect(api).toMatchObject({ Name: 'Zoo', Description: 'All animals.', Visibility: 'Limited', Tag: info.Tags })
  expect(api.APIVersion).toEqual(json)
})

test('members that are absent keep their value', async () => {
  const { apiId, id, before } = await added()
  const { json } = await admin.send('PUT', `/api/apis/versions/${id}/info`, { body: { VersionNotes: 'noted' } })
  expect(json).toEqual({ ...before, Description: 'noted', Updated: json.Updated })
  expect((await admin.get(`/api/apis/${apiId}`)).json).toMatchObject({ Name: 'Pet Store', Tag: ['pets'] })
})

test.each(['json', 'xml'])('in every media version of %s', async (format) => {
  const { id } = await added()
  for (const type of ['', 'vnd.platform.v71+', 'vnd.platform.v72+', 'vnd.platform.v80+', 'vnd.platform.v81+']) {
    const name = `application/${type}${format}`
    const VersionNotes = `by ${name}`
    const body =
      format === 'json'
        ? JSON.stringify({ VersionNotes })
        : `<APIVersionInfo><VersionNotes>${VersionNotes}</VersionNotes></APIVersionInfo>`
    const headers = { 'content-type': name, accept: name }
    const answer = await admin.send('PUT', `/api/apis/versions/${id}/info`, { body, headers })
    expect(answer.headers['content-type']).toBe(`${name}; charset=utf-8`)
    expect(answer.text).toContain(VersionNotes)
  }
})

test('a wrong member: 400 that names it, and nothing changes', async () => {
  const { apiId, id } = await added()
  await admin.post(`/api/apis/${apiId}/versions`, { Name: 'taken' })
  for (const [body, pointer] of [
    [{ ApiName: 'Zoo', VersionName: 'taken' }, '/VersionName'],
    [{ ApiName: 'Zoo', Visibility: 'Secret' }, '/Visibility'],
    [{ ApiName: '' }, '/ApiName'],
    [{ Name: 'Zoo' }, '/Name'],
  ] as const) {
    const answer = await admin.send('PUT', `/api/apis/versions/${id}/info`, { body })
    expect(answer.status).toBe(400)
    expect(answer.json.errors[0].pointer).toBe(pointer)
  }
  expect((await admin.get(`/api/apis/${apiId}`)).json.Name).toBe('Pet Store')
})

test('an unknown version: 404, an API instead: 404 that says so, whoever may not: 401', async () => {
  const { apiId, id } = await added()
  const put = (path: string) => admin.send('PUT', `/api/apis/versions/${path}/info`, { body: info })
  expect((await put('01a1fe54-1352-7774-9cbb-8bc9344eb79b.platform')).status).toBe(404)
  const wrongKind = await put(apiId)
  expect([wrongKind.status, wrongKind.json.faultstring]).toEqual([404, expect.stringContaining('[api]')])
  const { client } = await service.person()
  expect((await client.send('PUT', `/api/apis/versions/${id}/info`, { body: info })).status).toBe(401)
})

test('a version that goes meanwhile with its API: 404 that names the version', async () => {
  const { apiId, id } = await added()
  const answer = await service.db.transaction().execute(async (trx) => {
    await trx.deleteFrom('api').where('id', '=', apiId.replace('.platform', '')).execute()
    const sent = admin.send('PUT', `/api/apis/versions/${id}/info`, { body: info })
    await expect.poll(() => lockWaits(service)).toBe(1)
    return { sent }
  })
  const { status, json } = await answer.sent
  expect([status, json.faultstring]).toEqual([404, `No version has the id "${id}".`])
})

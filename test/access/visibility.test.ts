import { describe, expect, test } from 'vitest'
import { exampleApi } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const owner = await service.siteAdmin()

const registered = 'com.platform.visibility.registered.users'
const visibilities = ['Public', registered, 'Limited'] as const
type Visibility = (typeof visibilities)[number]

const apiAdmin = await service.person()
const adminOfAnother = await service.person()
const callers = {
  nobody: service.client(),
  'a plain user': (await service.person()).client,
  'an API Admin of another API': adminOfAnother.client,
  'an API Admin': apiAdmin.client,
  'a Business Admin': (await service.person('BusinessAdmin')).client,
  'a Site Admin': owner,
}
type CallerName = keyof typeof callers

const readers: Record<Visibility, CallerName[]> = {
  Public: Object.keys(callers) as CallerName[],
  [registered]: (Object.keys(callers) as CallerName[]).filter((name) => name !== 'nobody'),
  Limited: ['an API Admin', 'a Business Admin', 'a Site Admin'],
}

async function addApi(apiVisibility: Visibility, versionVisibility: Visibility, admin: { id: string }) {
  const { APIVersion, ...api } = exampleApi()
  const version = { ...APIVersion, Visibility: versionVisibility }
  const added = await owner.post('/api/apis', { ...api, Visibility: apiVisibility, APIVersion: version })
  const joined = await owner.post(`/api/groups/${added.json.AdminGroupID}/members`, { UserID: admin.id })
  expect([added.status, joined.status], added.text).toEqual([200, 200])
  return added.json
}

await addApi('Limited', 'Limited', adminOfAnother)

const pairs = visibilities.flatMap((api) => visibilities.map((version) => [api, version] as const))

describe.each(pairs)('a %s API with a %s version', async (apiVisibility, versionVisibility) => {
  const api = await addApi(apiVisibility, versionVisibility, apiAdmin)

  test.each(Object.entries(callers))('as %s reads it', async (name, client) => {
    const readsApi = readers[apiVisibility].includes(name as CallerName)
    const readsVersion = readsApi && readers[versionVisibility].includes(name as CallerName)
    const plain = await client.get(`/api/apis/${api.APIID}`)
    const withVersion = await client.get(`/api/apis/${api.APIID}?includeDefaultVersion=true`)
    const version = await client.get(`/api/apis/versions/${api.LatestVersionID}`)

    expect(plain.status).toBe(readsApi ? 200 : 401)
    expect(withVersion.status).toBe(readsApi ? 200 : 401)
    expect(version.status).toBe(readsVersion ? 200 : 401)
    if (readsApi) {
      expect(plain.json).toMatchObject({ APIID: api.APIID, Visibility: apiVisibility })
      expect(plain.json.APIVersion).toBeUndefined()
      expect(withVersion.json.APIVersion).toEqual(readsVersion ? api.APIVersion : undefined)
    }
    for (const answer of [plain, withVersion, version]) {
      if (answer.status === 401) expect(answer.text).not.toContain(api.Name)
    }
  })
})

test('a caller who loses the one membership that let them read loses the API', async () => {
  const { client, id } = await service.person()
  const api = await addApi('Limited', 'Public', { id })
  for (const [status, change] of [
    [200, () => owner.send('DELETE', `/api/groups/${api.AdminGroupID}/members/${id}`)],
    [401, () => owner.post(`/api/groups/${api.AdminGroupID}/members`, { UserID: id })],
    [200, async () => {}],
  ] as const) {
    expect((await client.get(`/api/apis/${api.APIID}`)).status).toBe(status)
    expect((await client.get(`/api/apis/versions/${api.LatestVersionID}`)).status).toBe(status)
    await change()
  }
})

test('a Visibility that is none of the three is a 400 that names the member', async () => {
  for (const [body, pointer] of [
    [{ ...exampleApi(), Visibility: 'public' }, '/Visibility'],
    [{ ...exampleApi(), APIVersion: { Name: '1', Visibility: 'Secret' } }, '/APIVersion/Visibility'],
  ]) {
    const answer = await owner.post('/api/apis', body)
    expect([answer.status, answer.json.errors?.[0]?.pointer]).toEqual([400, pointer])
  }
})

test('without a Visibility an API is Limited, and a version takes the one of its API', async () => {
  const { Visibility: _, ...api } = exampleApi()
  const limited = (await owner.post('/api/apis', api)).json
  expect([limited.Visibility, limited.APIVersion.Visibility]).toEqual(['Limited', 'Limited'])
  const open = (await owner.post('/api/apis', { ...api, Visibility: 'Public' })).json
  expect([open.Visibility, open.APIVersion.Visibility]).toEqual(['Public', 'Public'])
})

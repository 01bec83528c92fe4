import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { exampleApi, exampleVersion } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin: Client = await service.siteAdmin()

// An API with the versions 0.9 and, the latest, 1.0.
let apiId: string
let first: { APIVersionID: string }
let latest: { APIVersionID: string }

beforeEach(async () => {
  const added = (await admin.post('/api/apis', exampleApi())).json
  apiId = added.APIID
  first = added.APIVersion
  latest = (await admin.post(`/api/apis/${apiId}/versions`, exampleVersion())).json
})

const put = (body: unknown, headers = {}) => admin.send('PUT', `/api/apis/${apiId}`, { body, headers })
const version = async ({ APIVersionID }: { APIVersionID: string }) =>
  (await admin.get(`/api/apis/versions/${APIVersionID}`)).json
const api = async () => (await admin.get(`/api/apis/${apiId}?includeDefaultVersion=true`)).json

describe('which version the nested APIVersion means', () => {
  test('its APIVersionID', async () => {
    const { status, json, headers } = await put({
      APIVersion: { APIVersionID: first.APIVersionID, Description: 'new' },
    })
    expect(status).toBe(200)
    expect(json.APIVersion).toMatchObject({ APIVersionID: first.APIVersionID, Name: '0.9', Description: 'new' })
    expect(json.LatestVersionID).toBe(latest.APIVersionID)
    expect(headers['platform-renew-token']).toBeUndefined()
    expect(await version(first)).toEqual(json.APIVersion)
    expect(await version(latest)).toEqual(latest)
  })

  test('without it the version of that Name', async () => {
    const { json } = await put({ APIVersion: { Name: '0.9', Description: 'by name' } })
    expect(json.APIVersion).toMatchObject({ APIVersionID: first.APIVersionID, Description: 'by name' })
    expect(json.LatestVersionID).toBe(latest.APIVersionID)
  })

  test('a Name that no version has adds one, which becomes the latest and asks for a renewal', async () => {
    const { status, json, headers } = await put({ APIVersion: { Name: '2.0', Description: 'added' } })
    expect(status).toBe(200)
    expect(headers['platform-renew-token']).toBe('renew')
    expect(json.LatestVersionID).toBe(json.APIVersion.APIVersionID)
    expect(json.APIVersion).toMatchObject({ Name: '2.0', Description: 'added', State: 'com.platform.api.state.open' })
    expect(await api()).toEqual(json)
  })

  test('without both the latest', async () => {
    const { json } = await put({ APIVersion: { Description: 'latest changed' } })
    expect(json.APIVersion).toMatchObject({ APIVersionID: latest.APIVersionID, Description: 'latest changed' })
  })

  test('an APIVersionID together with another Name renames', async () => {
    const { json } = await put({ APIVersion: { APIVersionID: first.APIVersionID, Name: '0.9.1' } })
    expect(json.APIVersion).toMatchObject({ APIVersionID: first.APIVersionID, Name: '0.9.1' })
    const taken = await put({ APIVersion: { APIVersionID: first.APIVersionID, Name: '1.0' } })
    expect(taken.status).toBe(400)
    expect(taken.json.errors[0].pointer).toBe('/APIVersion/Name')
  })

  test('an APIVersionID of another API, or of none: 404 that says so and where, and nothing changes', async () => {
    const other = (await admin.post('/api/apis', exampleApi())).json
    const before = await api()
    for (const APIVersionID of [other.APIVersion.APIVersionID, 'none']) {
      const { status, json } = await put({ Name: 'changed', APIVersion: { APIVersionID } })
      expect([status, json.faultstring]).toEqual([404, `No version of this API has the id "${APIVersionID}".`])
      const error = { pointer: '/APIVersion/APIVersionID', message: 'is the id of no version of this API' }
      expect(json.errors).toEqual([error])
    }
    expect(await api()).toEqual(before)
  })

  test('the id of an API as APIVersionID: 404 with the word that clients look for', async () => {
    const other = (await admin.post('/api/apis', exampleApi())).json
    for (const APIVersionID of [apiId, other.APIID]) {
      const { status, json } = await put({ APIVersion: { APIVersionID } })
      const expected = `"${APIVersionID}" names an [api], where a version is expected.`
      expect([status, json.faultstring]).toEqual([404, expected])
      expect(json.errors).toEqual([{ pointer: '/APIVersion/APIVersionID', message: 'names an [api]' }])
    }
  })
})

describe('members', () => {
  test('that are absent keep their value, that are present replace it whole', async () => {
    const operation = { Name: 'only', Method: 'GET', Path: '/only' }
    const { json } = await put({ Tag: ['new'], APIVersion: { Operations: { Operation: [operation] } } })
    expect(json).toMatchObject({ Name: 'Pet Store', Description: 'Pets, pictures and orders.', Tag: ['new'] })
    expect(json.APIVersion.Operations.Operation).toEqual([
      { ...operation, Input: [], InterfaceQName: '{Pet_Store_1_0}Pet_Store_PortType_0', WsdlOperationName: 'only' },
    ])
    const { Operations: _1, Updated: _2, ...kept } = await version(latest)
    const { Operations: _3, Updated: _4, ...before } = latest as unknown as Record<string, unknown>
    expect(kept).toEqual(before)
  })

  test('the updated time moves, the created one stays', async () => {
    const before = await api()
    const { json } = await put({ APIVersion: { Description: 'x' } })
    expect(json.Created).toBe(before.Created)
    expect(json.Updated > before.Updated).toBe(true)
    expect(json.APIVersion.Created).toBe(before.APIVersion.Created)
    expect(json.APIVersion.Updated).toBe(json.Updated)
  })

  test('of the API itself, with the latest version nested in the answer', async () => {
    const { json } = await put({ Name: 'Renamed', Description: '', Visibility: 'Limited', PictureID: '' })
    expect(json).toMatchObject({ Name: 'Renamed', Description: '', Visibility: 'Limited', APIVersion: latest })
    expect((await service.client().get(`/api/apis/${apiId}`)).status).toBe(401)
  })

  test('a whole API as it was read is accepted, read-only members included', async () => {
    const read = await api()
    const { APIVersionID: _, ...body } = read.APIVersion
    const added = await put({ ...read, RatingSummary: { Five: 9 }, APIVersion: { ...body, Name: '3.0' } })
    expect(added.status).toBe(200)
    expect(added.json.RatingSummary.Five).toBe(0)
    expect(added.json.APIVersion.Operations).toEqual(
      JSON.parse(JSON.stringify(body.Operations).replaceAll('_1_0}', '_3_0}')),
    )
  })
})

test.each(['application/xml', ...['v71', 'v72', 'v80'].map((v) => `application/vnd.platform.${v}+xml`)])(
  'as %s',
  async (type) => {
    const xml = '<API><Description>by XML</Description><APIVersion><Name>0.9</Name><Tag>a</Tag></APIVersion></API>'
    const answer = await put(xml, { 'content-type': type, accept: type })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`)
    expect(answer.text).toContain('<Description>by XML</Description>')
    expect(await version(first)).toMatchObject({ Tag: ['a'] })
  },
)

test('it is deprecated, and names its replacement for the version that was meant', async () => {
  const { headers } = await put({ APIVersion: { Description: 'x' } })
  expect(headers.deprecation).toMatch(/^@\d+$/)
  expect(headers.link).toBe(`</api/apis/versions/${latest.APIVersionID}/info>; rel="successor-version"`)
})

test('a fault names the replacement too, by its description', async () => {
  const answers = [
    await put('{', { 'content-type': 'application/json' }),
    await put({ Surprise: 1 }),
    await service.client().send('PUT', '/api/apis/none', { body: {} }),
  ]
  const links = answers.map(({ headers }) => headers.link)
  expect(new Set(links)).toEqual(new Set(['</docs#PUT-api-apis-versions-APIVersionID-info>; rel="successor-version"']))
  expect((await admin.get('/docs')).text).toContain('id="PUT-api-apis-versions-APIVersionID-info"')
})

describe('refusals', () => {
  test('an unknown API: 404', async () => {
    const answer = await admin.send('PUT', '/api/apis/01a1fe54-1352-7774-9cbb-8bc9344eb79b.platform', { body: {} })
    expect(answer.status).toBe(404)
  })

  test('a caller who may not modify it: 401', async () => {
    const { client } = await service.person()
    expect((await client.send('PUT', `/api/apis/${apiId}`, { body: { Name: 'mine' } })).status).toBe(401)
    expect((await api()).Name).toBe('Pet Store')
  })

  test('an unknown state or member: 400, and nothing changes', async () => {
    const before = await api()
    for (const APIVersion of [{ State: 'x' }, { Colour: 'red' }, { Name: 'new', Visibility: 'x' }, { Name: '' }]) {
      const answer = await put({ Name: 'changed', APIVersion })
      expect(answer.status).toBe(400)
      expect(answer.json.errors[0].pointer).toMatch(/^\/APIVersion\//)
    }
    expect(await api()).toEqual(before)
  })
})

test('writers at once lose nothing: each changes a member of its own', async () => {
  const changes = [{ Tag: ['t'] }, { Description: 'd' }, { APIVersion: { Tag: ['v'] } }, { APIVersion: { Type: 'y' } }]
  const answers = await Promise.all(changes.map((change) => put(change)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await api()).toMatchObject({ Tag: ['t'], Description: 'd', APIVersion: { Tag: ['v'], Type: 'y' } })
})

test('the same new version added by two at once: one adds it, the other changes it', async () => {
  const answers = await Promise.all([1, 2].map(() => put({ APIVersion: { Name: 'raced', Type: 'x' } })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers.filter(({ headers }) => headers['platform-renew-token'] === 'renew')).toHaveLength(1)
})

test('an unknown visibility of the version is refused before anything is locked or written', async () => {
  const locked = sql`select from api where id = ${apiId.split('.')[0]} for update`
  for (const Name of [undefined, 'added']) {
    const answer = await service.db.transaction().execute(async (trx) => {
      await locked.execute(trx)
      return put({ Name: 'Renamed', APIVersion: { Name, Visibility: 'x' } })
    })
    expect([answer.status, answer.json.errors?.[0]?.pointer]).toEqual([400, '/APIVersion/Visibility'])
  }
})

test('versions that somebody else has locked for too long: 503, whatever else is changed', async () => {
  const before = await api()
  const locked = sql`select from api_version where id = ${latest.APIVersionID.split('.')[0]} for update`
  const answer = await service.db.transaction().execute(async (trx) => {
    await locked.execute(trx)
    return put({ Name: 'Renamed', APIVersion: { Description: 'new' } })
  })
  expect([answer.status, answer.json.faultcode]).toEqual([503, 'Unavailable'])
  expect(await api()).toEqual(before)
})

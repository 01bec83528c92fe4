import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { exampleApi, exampleVersion, exampleVersionXml } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const service = await startService()
let admin: Client
let apiId: string

beforeAll(async () => {
  admin = await service.siteAdmin()
  apiId = (await admin.post('/api/apis', exampleApi())).json.APIID
})

const add = (body: unknown, headers = {}) => admin.post(`/api/apis/${apiId}/versions`, body, headers)
const named = (Name: string, more = {}) => ({ ...exampleVersion(), Name, ...more })

test('the answer is the full version: what was sent, ids, times, InterfaceQName, WsdlOperationName, ConnectionProperties', async () => {
  const sent = named('1.0')
  const { status, json } = await add(sent)
  expect(status).toBe(200)
  const { APIVersionID, APIID, Created, Updated, RatingSummary, Operations, Endpoints, TargetAPI, ...rest } = json
  const { Operations: sentOperations, Endpoints: sentEndpoints, TargetAPI: sentTarget, ...sentRest } = sent
  expect(rest).toEqual(sentRest)
  expect(APIVersionID).toMatch(/^[0-9a-f-]{36}\.platform$/)
  expect(APIID).toBe(apiId)
  expect(Created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(Updated).toBe(Created)
  expect(RatingSummary).toEqual({ Five: 0, Four: 0, Three: 0, Two: 0, One: 0 })
  const complete = (operations: { Name: string; Input?: object[] }[]) =>
    operations.map((operation) => ({
      ...operation,
      Input: operation.Input ?? [],
      InterfaceQName: '{Pet_Store_1_0}Pet_Store_PortType_0',
      WsdlOperationName: operation.Name,
    }))
  expect(Operations.Operation).toEqual(complete(sentOperations.Operation))
  expect(TargetAPI.Operations.Operation).toEqual(complete(sentTarget.Operations.Operation))
  const connected = (endpoints: object[]) => endpoints.map((each) => ({ ConnectionProperties: [], ...each }))
  expect(Endpoints.Endpoint).toEqual(connected(sentEndpoints.Endpoint))
  expect(TargetAPI.Endpoints.Endpoint).toEqual(connected(sentTarget.Endpoints.Endpoint))
  expect(TargetAPI.Policies).toEqual(sentTarget.Policies)
})

test('the version is read back as it was answered, by its id and nested in its API, and is the latest', async () => {
  const added = (await add(named('read back'))).json
  expect((await admin.get(`/api/apis/versions/${added.APIVersionID}`)).json).toEqual(added)
  const api = (await admin.get(`/api/apis/${apiId}?includeDefaultVersion=true`)).json
  expect(api.LatestVersionID).toBe(added.APIVersionID)
  expect(api.APIVersion).toEqual(added)
  expect(api.Updated).toBe(added.Created)
})

test('the same version sent as XML is stored alike', async () => {
  const fromJson = (await add(named('as JSON'))).json
  const xml = exampleVersionXml().replace('<Name>1.0<', '<Name>as XML<')
  const fromXml = (await add(xml, { 'content-type': 'application/xml' })).json
  const neutral = (version: Record<string, unknown>) =>
    JSON.parse(
      JSON.stringify({ ...version, APIVersionID: '', Created: '', Updated: '', Name: '' }).replaceAll(
        /as_(XML|JSON)/g,
        '',
      ),
    )
  expect(neutral(fromXml)).toEqual(neutral(fromJson))
})

test.each(['application/json', ...['v71', 'v72', 'v80'].map((v) => `application/vnd.platform.${v}+json`)])(
  'a request and an answer of %s',
  async (type) => {
    const answer = await add(JSON.stringify(named(`by ${type}`)), { 'content-type': type, accept: type })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`)
    expect(answer.json.Name).toBe(`by ${type}`)
  },
)

test.each(['application/xml', ...['v71', 'v72', 'v80'].map((v) => `application/vnd.platform.${v}+xml`)])(
  'a request and an answer of %s',
  async (type) => {
    const xml = exampleVersionXml().replace('<Name>1.0<', `<Name>by ${type}<`)
    const answer = await add(xml, { 'content-type': type, accept: type })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`)
    expect(answer.text).toContain(`<Name>by ${type}</Name>`)
  },
)

test('a body of the newest media version is for the newer operation, and so is an answer of it', async () => {
  const v81 = 'application/vnd.platform.v81+json'
  const { status, json } = await add(JSON.stringify(named('v81')), { 'content-type': v81 })
  expect([status, json.faultstring]).toEqual([400, expect.stringContaining('The body is that of the older operation')])
  const plain = { 'content-type': 'application/json; charset=UTF-8' }
  expect((await add(JSON.stringify(named('v81')), { ...plain, accept: v81 })).status).toBe(406)
  const accept = `${v81}, text/javascript, */*; q=0.01`
  const answer = await add(JSON.stringify(named('v81')), { ...plain, accept })
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
})

test('the answer asks the caller to renew the token, and says that the operation is deprecated', async () => {
  const { headers } = await add(named('headers'))
  expect(headers['platform-renew-token']).toBe('renew')
  expect(headers.deprecation).toMatch(/^@\d+$/)
  expect(headers.link).toBe(`</api/apis/${apiId}/versions>; rel="successor-version"`)
  expect(headers.sunset).toBeUndefined()
})

test('the path names the API, whatever APIID the body has', async () => {
  const { json } = await add(named('other APIID', { APIID: 'ffffffff-ffff-7fff-8fff-ffffffffffff.platform' }))
  expect(json.APIID).toBe(apiId)
})

test('what the service assigns is ignored when it is sent', async () => {
  const assigned = {
    APIVersionID: 'mine',
    Created: '1999-01-01T00:00:00Z',
    Updated: 'never',
    RatingSummary: { Five: 1000, Four: 0, Three: 0, Two: 0, One: 0 },
  }
  const operation = { Name: 'a', Method: 'GET', Path: '/a', InterfaceQName: 'mine', WsdlOperationName: 'mine' }
  const { status, json } = await add(named('assigned', { ...assigned, Operations: { Operation: [operation] } }))
  expect(status).toBe(200)
  expect(JSON.stringify(json)).not.toMatch(/mine|1999|never|1000/)
})

describe('members that are absent', () => {
  test('lists are empty, the access booleans false, the state open, the visibility that of the API', async () => {
    const { json } = await add({ Name: 'bare' })
    expect(json).toMatchObject({
      Tag: [],
      Operations: { Operation: [] },
      Endpoints: { Endpoint: [] },
      Policies: { Policy: [] },
      State: 'com.platform.api.state.open',
      Visibility: 'Public',
      ProductionEndpointAccessAutoApproved: false,
      ResourceLevelPermissionsSupported: false,
    })
    for (const name of ['TargetAPI', 'Description', 'Type', 'ProductionEndpoint']) expect(json).not.toHaveProperty(name)
  })

  test('an empty wrapper is an empty list', async () => {
    const { json } = await add({ Name: 'empty wrappers', Policies: {}, Operations: {}, TargetAPI: {} })
    expect(json.Policies).toEqual({ Policy: [] })
    expect(json.TargetAPI).toEqual({
      Endpoints: { Endpoint: [] },
      Operations: { Operation: [] },
      Policies: { Policy: [] },
    })
  })
})

describe('what is refused leaves nothing behind', () => {
  const latest = async () => (await admin.get(`/api/apis/${apiId}`)).json

  test.each([
    ['a name that another version of the API has', { Name: '0.9' }, '/Name'],
    ['no name', { Description: 'nameless' }, '/Name'],
    ['a state that is not known', { Name: 'x', State: 'com.platform.api.state.closed' }, '/State'],
    ['a visibility that is not known', { Name: 'x', Visibility: 'Secret' }, '/Visibility'],
    ['a wrong URL', { Name: 'x', Endpoints: { Endpoint: [{ Uri: 'nowhere' }] } }, '/Endpoints/Endpoint/0/Uri'],
    ['an unknown member', { Name: 'x', Colour: 'red' }, '/Colour'],
  ])('%s: 400 that names the member', async (_what, body, pointer) => {
    const before = await latest()
    const answer = await add(body)
    expect(answer.status).toBe(400)
    expect(answer.json.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer)
    expect(answer.json.faultstring).toContain(pointer)
    expect(await latest()).toEqual(before)
  })

  test('an API that does not exist: 404', async () => {
    const answer = await admin.post('/api/apis/01a1fe54-1352-7774-9cbb-8bc9344eb79b.platform/versions', { Name: 'x' })
    expect(answer.status).toBe(404)
  })

  test('a caller who may read but not modify: 401', async () => {
    const before = await latest()
    const { client } = await service.person()
    expect((await client.post(`/api/apis/${apiId}/versions`, { Name: 'x' })).status).toBe(401)
    expect(await latest()).toEqual(before)
  })
})

test('versions added at once: each name once, and the latest is the newest of them', async () => {
  const names = Array.from({ length: 24 }, (_, index) => `parallel ${index % 12}`)
  const answers = await Promise.all(names.map((name) => add({ Name: name })))
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(12)
  const added = answers.filter(({ status }) => status === 200).map(({ json }) => json)
  expect(added).toHaveLength(12)
  expect(new Set(added.map(({ Created }) => Created)).size).toBe(12)
  const newest = added.toSorted((a, b) => (a.Created < b.Created ? 1 : -1))[0]
  const { LatestVersionID, Updated } = (await admin.get(`/api/apis/${apiId}`)).json
  expect({ LatestVersionID, Updated }).toEqual({ LatestVersionID: newest.APIVersionID, Updated: newest.Created })
  const [first] = (await admin.get(`/api/apis/${apiId}/versions`)).json.channel.item
  expect(first.guid.value).toBe(LatestVersionID)
})

test('with a sunset date set, the answer says it', async () => {
  const other = await startService({ SUNSET_DATE: '2027-06-30' })
  const client = await other.siteAdmin()
  const { APIID } = (await client.post('/api/apis', exampleApi())).json
  const { headers } = await client.post(`/api/apis/${APIID}/versions`, { Name: 'late' })
  expect(headers.sunset).toBe('Wed, 30 Jun 2027 00:00:00 GMT')
})

test('addresses beyond ASCII are taken, however often', async () => {
  const Endpoint = Array.from({ length: 200 }, (_, index) => ({ Uri: `https://é.example.com/ü/${index}` }))
  for (let again = 1; again <= 60; again++) {
    const { status, text } = await add({ Name: `addresses ${again}`, Endpoints: { Endpoint } })
    expect(status, text).toBe(200)
  }
})

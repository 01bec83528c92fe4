import { expect, test } from 'vitest'
import { exampleApi, exampleVersion } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()

async function added() {
  const { APIID } = (await admin.post('/api/apis', exampleApi())).json
  return (await admin.post(`/api/apis/${APIID}/versions`, exampleVersion())).json
}

const put = (id: string, body: unknown, headers = {}) =>
  admin.send('PUT', `/api/apis/versions/${id}`, { body, headers })

test('the version is replaced whole: what the body does not have is gone, but for visibility and state', async () => {
  const before = await added()
  const { status, json } = await put(before.APIVersionID, { Name: 'bare' })
  expect(status).toBe(200)
  expect(json).toEqual({
    APIVersionID: before.APIVersionID,
    APIID: before.APIID,
    Name: 'bare',
    Tag: [],
    Operations: { Operation: [] },
    Endpoints: { Endpoint: [] },
    Policies: { Policy: [] },
    Visibility: before.Visibility,
    State: before.State,
    Created: before.Created,
    Updated: json.Updated,
    ProductionEndpointAccessAutoApproved: false,
    SandboxEndpointAccessAutoApproved: false,
    SandboxAnonymousAccessAllowed: false,
    ProductionAnonymousAccessAllowed: false,
    ResourceLevelPermissionsSupported: false,
    RatingSummary: before.RatingSummary,
  })
  expect((await admin.get(`/api/apis/versions/${before.APIVersionID}`)).json).toEqual(json)
})

test('a version that is put back as it was read, as JSON or as XML, is unchanged but for its time', async () => {
  const before = await added()
  const path = `/api/apis/versions/${before.APIVersionID}`
  const xml = (await admin.get(path, { accept: 'application/xml' })).text
  for (const again of [
    await put(before.APIVersionID, before),
    await put(before.APIVersionID, xml, { 'content-type': 'text/xml' }),
  ]) {
    expect(again.json).toEqual({ ...before, Updated: again.json.Updated })
  }
})

test('a name that another version has: 400; unknown: 404; not entitled: 401', async () => {
  const { APIVersionID } = await added()
  expect((await put(APIVersionID, { Name: '0.9' })).json.errors[0].pointer).toBe('/Name')
  expect((await put('01a1fe54-1352-7774-9cbb-8bc9344eb79b.platform', { Name: 'x' })).status).toBe(404)
  const { client } = await service.person()
  expect((await client.send('PUT', `/api/apis/versions/${APIVersionID}`, { body: { Name: 'x' } })).status).toBe(401)
})

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { fixture, fixtures } from '../support/fixtures.ts'
import { descriptorOf } from '../support/form.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const v81 = 'application/vnd.platform.v81+json'
const v81xml = 'application/vnd.platform.v81+xml'
const admin: Client = await service.siteAdmin()

const add = (body: object, headers = {}, client = admin) =>
  client.post('/api/apis', JSON.stringify(body), { 'content-type': `${v81}; charset=UTF-8`, accept: v81, ...headers })
const addXml = (xml: string) =>
  admin.post('/api/apis', `<AddAPIRequest>${xml}</AddAPIRequest>`, { 'content-type': v81xml, accept: v81 })
const read = async (id: string) => (await admin.get(`/api/apis/${id}?includeDefaultVersion=true`)).json
const urls = ['https://backend.example.com/a', 'http://backend.example.com:8080/b']

describe('of a name', () => {
  test.each([
    [
      'JSON',
      () => add({ APIVersionInfo: { Name: 'Named' }, AddAPIImplementationRequest: { CreateMechanism: 'PROXY' } }),
    ],
    [
      'XML',
      () =>
        addXml(
          '<APIVersionInfo><Name>Named</Name></APIVersionInfo><AddAPIImplementationRequest><CreateMechanism>PROXY</CreateMechanism></AddAPIImplementationRequest>',
        ),
    ],
  ])('%s: the API with a first version', async (_what, send) => {
    const { status, json, headers } = await send()
    expect(status).toBe(200)
    expect(json).toMatchObject({
      Name: 'Named',
      Visibility: 'Limited',
      Tag: [],
      APIVersion: { Name: '1.0', Visibility: 'Limited' },
    })
    expect(json.APIVersion.TargetAPI.Endpoints.Endpoint).toEqual([])
    expect(json.LatestVersionID).toBe(json.APIVersion.APIVersionID)
    expect(headers['platform-renew-token']).toBe('renew')
    expect(headers['content-type']).toBe(`${v81}; charset=utf-8`)
    expect(await read(json.APIID)).toEqual(json)
  })

  test.each([
    [
      'JSON',
      () =>
        add({
          APIVersionInfo: { Name: 'Proxy', Visibility: 'Public', Description: 'A proxy.' },
          AddAPIImplementationRequest: { ProxyImplementationRequest: { TargetEndpointURL: urls } },
        }),
    ],
    [
      'XML',
      () =>
        addXml(
          `<APIVersionInfo><Name>Proxy</Name><Visibility>Public</Visibility><Description>A proxy.</Description></APIVersionInfo><AddAPIImplementationRequest><ProxyImplementationRequest>${urls.map((url) => `<TargetEndpointURL>${url}</TargetEndpointURL>`).join('')}</ProxyImplementationRequest></AddAPIImplementationRequest>`,
        ),
    ],
  ])('%s, and the addresses of its back end', async (_what, send) => {
    const { status, json } = await send()
    expect(status).toBe(200)
    expect(json).toMatchObject({ Name: 'Proxy', Visibility: 'Public', Description: 'A proxy.' })
    expect(json.APIVersion).toMatchObject({ Name: '1.0', Visibility: 'Public', Description: 'A proxy.' })
    expect(json.APIVersion.TargetAPI.Endpoints.Endpoint).toEqual(
      urls.map((Uri) => ({ Uri, Category: 'Production', ConnectionProperties: [] })),
    )
  })

  test('alone', async () => {
    const { status, json } = await add({ APIVersionInfo: { Name: 'Alone' } })
    expect([status, json.APIVersion.Name]).toEqual([200, '1.0'])
    expect(json.APIVersion).not.toHaveProperty('TargetAPI')
  })
})

describe('from a file', () => {
  test.each(fixtures)('%s: names, texts, tags and version as the file says', async (name) => {
    const DLDescriptor = await descriptorOf(admin, fixture(name))
    const { status, json } = await add({ DLDescriptor })
    expect(status).toBe(200)
    expect(json.Name).toBe(DLDescriptor.ServiceDescriptorReference.ServiceName)
    expect(json.Tag).toEqual(json.APIVersion.Tag)
    expect(json.Description).toBe(json.APIVersion.Description)
    expect(json.APIVersion.Operations.Operation.length).toBeGreaterThan(2)
    expect(json.APIVersion.TargetAPI.Endpoints.Endpoint[0].Uri).toBe(json.APIVersion.ProductionEndpoint)
    expect(await read(json.APIID)).toEqual(json)
  })

  test('XML, and a name that counts more than the one in the file', async () => {
    const { ServiceDescriptorReference: reference } = await descriptorOf(admin, fixture('petstore-3.1.yaml'))
    const { status, json } = await addXml(
      `<APIVersionInfo><Name>Mine</Name></APIVersionInfo><DLDescriptor><ServiceDescriptorReference><DropboxFileId>${reference.DropboxFileId}</DropboxFileId><ServiceName>${reference.ServiceName}</ServiceName></ServiceDescriptorReference></DLDescriptor>`,
    )
    expect([status, json.Name, json.APIVersion.Name]).toEqual([200, 'Mine', '2.0'])
  })

  test('addresses of the request stand in place of those in the file', async () => {
    const DLDescriptor = await descriptorOf(admin, fixture('petstore-3.0.yaml'))
    const proxy = { ProxyImplementationRequest: { TargetEndpointURL: urls } }
    const { json } = await add({ DLDescriptor, AddAPIImplementationRequest: proxy })
    expect(json.APIVersion.TargetAPI.Endpoints.Endpoint.map(({ Uri }: { Uri: string }) => Uri)).toEqual(urls)
    const named = await add({ DLDescriptor, AddAPIImplementationRequest: { CreateMechanism: 'PROXY' } })
    expect(named.json.APIVersion.TargetAPI.Endpoints.Endpoint).toHaveLength(2)
  })
})

describe('what is refused leaves nothing behind', () => {
  const count = async () => (await service.db.selectFrom('api').select('id').execute()).length
  const DLDescriptor = { ServiceDescriptorReference: { ServiceName: 's', FileName: 'f', DropboxFileId: 987_654 } }

  test.each([
    ['nothing', {}, 400, '/APIVersionInfo'],
    [
      'another mechanism',
      { APIVersionInfo: { Name: 'x' }, AddAPIImplementationRequest: { CreateMechanism: 'CLONE' } },
      400,
      '/AddAPIImplementationRequest/CreateMechanism',
    ],
    [
      'no mechanism',
      { APIVersionInfo: { Name: 'x' }, AddAPIImplementationRequest: {} },
      400,
      '/AddAPIImplementationRequest/CreateMechanism',
    ],
    [
      'an address that is none',
      {
        APIVersionInfo: { Name: 'x' },
        AddAPIImplementationRequest: { ProxyImplementationRequest: { TargetEndpointURL: ['javascript:1'] } },
      },
      400,
      '/AddAPIImplementationRequest/ProxyImplementationRequest/TargetEndpointURL/0',
    ],
    ['an unknown visibility', { APIVersionInfo: { Name: 'x', Visibility: 'y' } }, 400, '/APIVersionInfo/Visibility'],
    ['an empty name', { APIVersionInfo: { Name: '' } }, 400, '/APIVersionInfo/Name'],
    ['the body of the older operation', { Name: 'x', APIVersion: { Name: 'y' } }, 400, '/Name'],
    ['a file that does not exist', { DLDescriptor }, 404, '/DLDescriptor/ServiceDescriptorReference/DropboxFileId'],
  ])('%s', async (_what, body, status, pointer) => {
    const before = await count()
    const answer = await add(body)
    expect(answer.status).toBe(status)
    const pointers = answer.json.errors.map((error: { pointer: string }) => error.pointer)
    expect(pointers).toContain(pointer)
    expect(await count()).toBe(before)
  })

  test('a caller who may not add APIs: 401', async () => {
    const { client } = await service.person()
    const body = { APIVersionInfo: { Name: 'x' } }
    expect((await add(body, {}, client)).status).toBe(401)
    expect((await add(body, {}, service.client())).status).toBe(401)
  })
})

test('an Idempotency-Key makes it happen once', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const [first, again] = [
    await add({ APIVersionInfo: { Name: 'Once' } }, headers),
    await add({ APIVersionInfo: { Name: 'Once' } }, headers),
  ]
  expect(again.json).toEqual(first.json)
  expect((await add({ APIVersionInfo: { Name: 'Twice' } }, headers)).status).toBe(422)
})

test('anyone may add where the operator allows it, and is the first API Admin', async () => {
  const other = await startService({ ANY_USER_MAY_ADD_APIS: 'true' })
  const { client } = await other.person()
  const added = await add({ APIVersionInfo: { Name: 'Mine' } }, {}, client)
  expect(added.status).toBe(200)
  const version = { APIVersionInfo: { Name: '2.0' } }
  const more = await client.post(`/api/apis/${added.json.APIID}/versions`, version, { 'content-type': v81 })
  expect(more.status).toBe(200)
})

test('without a v81 type it is the older operation, as for its body where Accept prefers v81', async () => {
  const body = { Name: 'Older', APIVersion: { Name: '1' } }
  expect((await admin.post('/api/apis', body)).status).toBe(200)
  const { status, headers } = await admin.post('/api/apis', body, { accept: `${v81}, text/javascript, */*; q=0.01` })
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  expect((await admin.post('/api/apis', body, { accept: v81 })).status).toBe(406)
})

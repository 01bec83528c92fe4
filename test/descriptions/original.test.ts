import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { exampleApi } from '../support/examples.ts'
import { fixture } from '../support/fixtures.ts'
import { descriptorOf } from '../support/form.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const v81 = { 'content-type': 'application/vnd.platform.v81+json' }
const yaml = fixture('petstore-3.0.yaml')
let admin: Client
let definition: string

beforeAll(async () => {
  admin = await service.siteAdmin()
  const DLDescriptor = await descriptorOf(admin, yaml)
  const { json } = await admin.post('/api/apis', { DLDescriptor }, v81)
  definition = `/api/apis/versions/${json.APIVersion.APIVersionID}/definition`
})

test.each(['swagger', 'oas30', 'openapi'])('%s?original=true: the bytes as they were sent', async (word) => {
  const { status, headers, text } = await admin.get(`${definition}/${word}?original=true`)
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/yaml; charset=utf-8')
  expect(headers['content-disposition']).toBe('attachment; filename="petstore.yaml"')
  expect(Buffer.from(text).equals(yaml)).toBe(true)
})

test('for whoever prefers YAML or JSON as well', async () => {
  for (const accept of ['application/yaml', 'application/json', 'application/vnd.platform.v81+json']) {
    expect((await admin.get(`${definition}/swagger?original=true`, { accept })).text).toBe(yaml.toString())
  }
})

test('without original it is described anew', async () => {
  expect((await admin.get(`${definition}/swagger?original=false`)).json.swagger).toBe('2.0')
})

test('of a format that there is not: 404 that lists those that there are', async () => {
  for (const query of ['', '?original=true']) {
    const { status, json } = await admin.get(`${definition}/raml${query}`)
    expect([status, json.faultstring]).toEqual([404, expect.stringContaining('swagger, swagger12, oas30, oas31')])
  }
})

test('who may not read the version gets nothing; a version that was not imported has none, and is not read by that', async () => {
  const { client } = await service.person()
  expect((await client.get(`${definition}/swagger?original=true`)).status).toBe(401)
  const { APIVersion } = (await admin.post('/api/apis', exampleApi())).json
  const version = `/api/apis/versions/${APIVersion.APIVersionID}`
  await admin.send('PUT', `${version}/deprecation`, { body: {} })
  const none = await admin.get(`${version}/definition/swagger?original=true`)
  expect([none.status, none.json.faultstring]).toEqual([404, 'This API version was not imported from a document.'])
  expect((await admin.get(`${version}/consumers`)).json).toEqual([])
})

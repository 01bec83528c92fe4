import { expect, test } from 'vitest'
import { exampleApi, exampleApiXml } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const service = await startService()

test('an API is added with its first version, which is the latest', async () => {
  const admin = await service.siteAdmin()
  const { status, json, headers } = await admin.post('/api/apis', exampleApi())
  expect(status).toBe(200)
  expect(json).toMatchObject({
    Name: 'Pet Store',
    Description: 'Pets, pictures and orders.',
    Visibility: 'Public',
    Tag: ['pets'],
    IsFollowed: false,
    LatestVersionID: json.APIVersion.APIVersionID,
    APIVersion: { APIID: json.APIID, Name: '0.9' },
  })
  expect(headers['platform-renew-token']).toBe('renew')
  expect((await admin.get(`/api/apis/${json.APIID}?includeDefaultVersion=true`)).json).toEqual(json)
  const { APIVersion, ...alone } = json
  expect((await admin.get(`/api/apis/${json.APIID}`)).json).toEqual(alone)
})

test.each(['application/xml', ...['v71', 'v72', 'v80'].map((v) => `application/vnd.platform.${v}+xml`)])(
  'an API is added and answered as %s',
  async (type) => {
    const admin = await service.siteAdmin()
    const answer = await admin.post('/api/apis', exampleApiXml(), { 'content-type': type, accept: type })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`)
    expect(answer.text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?><API><APIID>/)
    expect(answer.text).toContain('<APIVersion><APIVersionID>')
  },
)

test.each(['json', 'xml'])('an API is read in every media version as %s', async (format) => {
  const admin = await service.siteAdmin()
  const { APIID } = (await admin.post('/api/apis', exampleApi())).json
  for (const type of ['', 'vnd.platform.v71+', 'vnd.platform.v72+', 'vnd.platform.v80+', 'vnd.platform.v81+']) {
    const answer = await admin.get(`/api/apis/${APIID}?INCLUDEDEFAULTVERSION=true`, {
      accept: `application/${type}${format}`,
    })
    expect(answer.headers['content-type']).toBe(`application/${type}${format}; charset=utf-8`)
    expect(answer.text).toContain('0.9')
  }
})

test('the caller becomes the first API Admin', async () => {
  const { client } = await service.person('BusinessAdmin')
  const plain = await service.person()
  const { APIID, AdminGroupID } = (await client.post('/api/apis', exampleApi())).json
  expect((await plain.client.post(`/api/apis/${APIID}/versions`, { Name: 'mine' })).status).toBe(401)
  const member = await client.post(`/api/groups/${AdminGroupID}/members`, { UserID: plain.id })
  expect(member.status).toBe(200)
  expect((await plain.client.post(`/api/apis/${APIID}/versions`, { Name: 'mine' })).status).toBe(200)
})

test('a plain user adds no API, unless the operator allows it', async () => {
  const { client } = await service.person()
  expect((await client.post('/api/apis', exampleApi())).status).toBe(401)
  const open = await startService({ ANY_USER_MAY_ADD_APIS: 'true' })
  const person = await open.person()
  const added = await person.client.post('/api/apis', exampleApi())
  expect(added.status).toBe(200)
  expect((await person.client.post(`/api/apis/${added.json.APIID}/versions`, { Name: 'mine' })).status).toBe(200)
})

test.each([
  ['no name', { APIVersion: { Name: '1' } }, '/Name'],
  ['no version', { Name: 'x' }, '/APIVersion'],
  ['a version without a name', { Name: 'x', APIVersion: {} }, '/APIVersion/Name'],
  ['an unknown visibility', { Name: 'x', Visibility: 'Secret', APIVersion: { Name: '1' } }, '/Visibility'],
  ['an unknown state of the version', { Name: 'x', APIVersion: { Name: '1', State: 'x' } }, '/APIVersion/State'],
])('%s: 400 that names the member', async (_what, body, pointer) => {
  const admin = await service.siteAdmin()
  const answer = await admin.post('/api/apis', body)
  expect(answer.status).toBe(400)
  expect(answer.json.errors[0].pointer).toBe(pointer)
})

test('an API of no stated visibility is for its admins only', async () => {
  const admin = await service.siteAdmin()
  const { APIID, Visibility } = (await admin.post('/api/apis', { Name: 'x', APIVersion: { Name: '1' } })).json
  expect(Visibility).toBe('Limited')
  expect((await service.client().get(`/api/apis/${APIID}`)).status).toBe(401)
})

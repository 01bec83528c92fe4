import { expect, test } from 'vitest'
import { exampleApi, exampleVersion } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()
const { APIID } = (await admin.post('/api/apis', exampleApi())).json
const whole = (await admin.post(`/api/apis/${APIID}/versions`, exampleVersion())).json
const path = `/api/apis/versions/${whole.APIVersionID}`

const keep = (...gone: string[]) => Object.fromEntries(Object.entries(whole).filter(([name]) => !gone.includes(name)))

test.each([
  ['', []],
  ['?IncludeOperations=true&IncludeEndpoints=true&IncludeTargetAPI=true', []],
  ['?IncludeOperations=true', []],
  ['?IncludeOperations=false', ['Operations']],
  ['?INCLUDEoperations=false&includeTargetAPI=true', ['Operations']],
  ['?includeEndpoints=false', ['Endpoints']],
  ['?IncludeTargetAPI=false', ['TargetAPI']],
  ['?IncludeOperations=false&IncludeEndpoints=false&includetargetapi=false', ['Operations', 'Endpoints', 'TargetAPI']],
])('a version read with %j is without %j', async (query, gone) => {
  const { status, json } = await service.client().get(path + query)
  expect(status).toBe(200)
  expect(json).toEqual(keep(...gone))
  expect(Object.keys(json)).toEqual(Object.keys(keep(...gone)))
})

test('the same as XML, where nothing but the version’s own members is left out', async () => {
  const accept = { accept: 'application/xml' }
  const xml = (await admin.get(path, accept)).text
  const bare = (await admin.get(`${path}?IncludeOperations=false&IncludeTargetAPI=false`, accept)).text
  const expected = xml.replace(/<TargetAPI>.*<\/TargetAPI>/s, '').replace(/<Operations>.*<\/Operations>/s, '')
  expect(bare).toBe(expected)
  expect(bare).toContain('<Endpoints>')
})

test('each selection has a state of its own, and 304 in that', async () => {
  const queries = ['', '?IncludeOperations=false', '?IncludeEndpoints=false', '?IncludeTargetAPI=false']
  const tags = await Promise.all(queries.map(async (query) => (await admin.get(path + query)).headers.etag as string))
  expect(new Set(tags).size).toBe(queries.length)
  for (const [n, query] of queries.entries()) {
    const again = await Promise.all(tags.map((tag) => admin.get(path + query, { 'if-none-match': tag })))
    expect(again.map(({ status }) => status)).toEqual(tags.map((_, place) => (place === n ? 304 : 200)))
    for (const { status, text } of again) expect(text !== '').toBe(status === 200)
  }
})

test('the state of a selection is good for If-Match', async () => {
  const { APIVersionID } = (await admin.post(`/api/apis/${APIID}/versions`, { Name: 'matched' })).json
  const version = `/api/apis/versions/${APIVersionID}`
  const { etag } = (await admin.get(`${version}?IncludeOperations=false`)).headers
  const put = () => admin.send('PUT', version, { body: { Name: 'matched' }, headers: { 'if-match': String(etag) } })
  expect((await put()).status).toBe(200)
  expect((await put()).status).toBe(412)
})

test.each(['IncludeOperations=maybe', 'IncludeEndpoints=', 'IncludeTargetAPI=true&includetargetapi=false'])(
  '%s: 400 that names the parameter',
  async (query) => {
    const { status, json } = await admin.get(`${path}?${query}`)
    expect(status).toBe(400)
    expect(json.errors[0].pointer).toMatch(/^\/Include/)
  },
)

import { beforeEach, describe, expect, test } from 'vitest'
import { exampleApi, exampleVersion } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()
let apiPath: string
let versionPath: string

beforeEach(async () => {
  const { APIID, LatestVersionID } = (await admin.post('/api/apis', exampleApi())).json
  apiPath = `/api/apis/${APIID}`
  versionPath = `/api/apis/versions/${LatestVersionID}`
})

const v81 = {
  accept: 'application/vnd.platform.v81+json',
  'content-type': 'application/vnd.platform.v81+json',
}
const etag = async (path: string, accept = 'application/json') =>
  (await admin.get(path, { accept })).headers.etag as string

describe('reading with If-None-Match', () => {
  test.each(['version', 'API', 'API with its version'])('a %s: 304 and no body while it is unchanged', async (what) => {
    const path = { version: versionPath, API: apiPath }[what] ?? `${apiPath}?includeDefaultVersion=true`
    const tag = await etag(path)
    expect(tag).toMatch(/^"[^"]+"$/)
    const again = await admin.get(path, { 'if-none-match': `"other", W/"x", ${tag}` })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', tag])
    expect((await admin.get(path, { 'if-none-match': '"other"' })).status).toBe(200)
    await admin.send('PUT', `${versionPath}/info`, { body: { VersionNotes: 'changed' } })
    const changed = await admin.get(path, { 'if-none-match': tag })
    expect(changed.status).toBe(200)
    expect(changed.headers.etag).not.toBe(tag)
  })

  test('a version: 304 for any of several tags, however alike they end, and for *', async () => {
    const tag = await etag(versionPath)
    for (const known of [`"144.1/application/json/0.1.0", ${tag}`, `${tag}, "144.1/application/json/0.1.0"`, '*'])
      expect((await admin.get(versionPath, { 'if-none-match': known })).status, known).toBe(304)
    for (const other of [tag.replaceAll('"', ''), tag.replace('1', '9'), tag.replace(/[^/]*$/, '0"')])
      expect((await admin.get(versionPath, { 'if-none-match': other })).status, other).toBe(200)
  })

  test('each representation has a tag of its own', async () => {
    const accepts = ['application/json', 'application/xml', 'text/xml', 'application/vnd.platform.v80+json']
    const tags = await Promise.all(accepts.map((accept) => etag(versionPath, accept)))
    expect(new Set(tags).size).toBe(accepts.length)
    const asXml = await admin.get(versionPath, { accept: 'application/xml', 'if-none-match': tags[0] as string })
    expect(asXml.status).toBe(200)
  })

  test('an API with and without its version, and read by others, is never mistaken', async () => {
    expect(await etag(apiPath)).not.toBe(await etag(`${apiPath}?includeDefaultVersion=true`))
    await admin.send('PUT', `${versionPath}/info`, { body: { Visibility: 'Limited' } })
    const stranger = await service.client().get(versionPath, { 'if-none-match': await etag(versionPath) })
    expect(stranger.status).toBe(401)
  })
})

describe('writing with If-Match', () => {
  const writes: [string, string, () => string, unknown][] = [
    ['replace a version', 'PUT', () => versionPath, exampleVersion()],
    ['describe a version', 'PUT', () => `${versionPath}/info`, { VersionNotes: 'x' }],
    ['add a version', 'POST', () => `${apiPath}/versions`, { Name: 'next' }],
    ['remove a version', 'DELETE', () => versionPath, undefined],
    ['update an API', 'PUT', () => apiPath, { Description: 'x' }],
    ['remove an API', 'DELETE', () => apiPath, undefined],
  ]

  test.each(writes)('%s: 412 after somebody else changed it, else it is done', async (_what, method, path, body) => {
    const thing = path().replace(/\/(info|versions)$/, '')
    const before = await etag(thing, 'application/xml')
    await admin.send('PUT', `${versionPath}/info`, { body: { VersionNotes: 'somebody else' } })
    const lost = await admin.send(method, path(), { body, headers: { 'if-match': before } })
    expect([lost.status, lost.json.faultcode]).toEqual([412, 'PreconditionFailed'])
    expect((await admin.get(versionPath)).json.Description).toBe('somebody else')
    const now = await etag(thing)
    expect((await admin.send(method, path(), { body, headers: { 'if-match': now } })).status).toBe(200)
  })

  test('a version that is added by the newer operation, too', async () => {
    const add = (tag: string) =>
      admin.post(`${apiPath}/versions`, { APIVersionInfo: { Name: 'next' } }, { ...v81, 'if-match': tag })
    expect((await add('"999/application/json/0.1.0"')).status).toBe(412)
    expect((await add(await etag(apiPath))).status).toBe(200)
  })

  test('what is no strong tag of the state is 412', async () => {
    const tag = await etag(versionPath)
    const revision = Number.parseInt(tag.slice(1), 10)
    for (const other of [`W/${tag}`, `"${revision}garbage"`, `"${revision}"`, tag.slice(1, -1), '']) {
      const answer = await admin.send('PUT', `${versionPath}/info`, { body: {}, headers: { 'if-match': other } })
      expect(answer.status, other).toBe(412)
    }
  })

  test('any state is good for *', async () => {
    const body = { VersionNotes: 'x' }
    const answer = await admin.send('PUT', `${versionPath}/info`, { body, headers: { 'if-match': '*' } })
    expect(answer.status).toBe(200)
  })

  test('of writers at once with one tag, one succeeds', async () => {
    const headers = { 'if-match': await etag(versionPath) }
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((VersionNotes) =>
        admin.send('PUT', `${versionPath}/info`, { body: { VersionNotes }, headers }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
  })
})

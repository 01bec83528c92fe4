import { XMLParser } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { exampleVersion } from '../support/examples.ts'
import { addApi, everyPage, itemsOf, nextPage, titlesOf } from '../support/lists.ts'
import { startService } from '../support/service.ts'

const service = await startService({ JSON_BODY_LIMIT: '2000000' })
const owner = await service.siteAdmin()
const nobody = service.client()
const mediaVersions = ['v71', 'v72', 'v80', 'v81']

async function addVersion(api: { APIID: string }, version: Record<string, unknown>) {
  const added = await owner.post(`/api/apis/${api.APIID}/versions`, version)
  expect(added.status, added.text).toBe(200)
  return added.json
}

describe('the list of all versions', async () => {
  const api = await addApi(owner, { Name: 'A <& B' }, { Name: 'first', Tag: ['all'] })
  const version = await addVersion(api, { ...exampleVersion(), Name: '1<&0', Tag: ['all', 'shape'] })
  const item = {
    title: '1<&0',
    description: version.Description,
    category: [
      { value: 'Public', domain: 'uddi:platform.com:visibility' },
      { value: 'apiversion', domain: 'uddi:platform.com:resourcetype' },
      { value: 'com.platform.api.state.open', domain: 'uddi:platform.com:state' },
    ],
    guid: { value: version.APIVersionID },
    pubDate: new Date(version.Created).toUTCString(),
    link: `${service.url}/api/apis/versions/${version.APIVersionID}`,
    EntityReferences: { EntityReference: [{ Title: 'A <& B', Guid: api.APIID, Category: [] }] },
    Endpoints: version.Endpoints,
  }
  const channel = { channel: { title: 'API versions', item: [item] }, version: '1.0' }
  const vendorType = (mediaVersion: string, format: string) => `application/vnd.platform.${mediaVersion}+${format}`

  test.each(['application/json', vendorType('v71', 'json')])('as %s is a channel', async (accept) => {
    const answer = await nobody.get('/api/apis/versions?tag=shape', { accept })
    expect(answer.headers['content-type']).toBe(`${accept}; charset=utf-8`)
    expect(answer.json).toEqual(channel)
  })

  test.each(mediaVersions.slice(1).map((v) => vendorType(v, 'json')))(
    'as %s is an array of versions',
    async (accept) => {
      const answer = await nobody.get('/api/apis/versions?tag=all', { accept })
      expect(answer.headers['content-type']).toBe(`${accept}; charset=utf-8`)
      expect(answer.json).toEqual([version, api.APIVersion])
      expect((await nobody.get('/api/apis/versions?tag=none', { accept })).text).toBe('[]')
    },
  )

  const lists = ['item', 'category', 'EntityReference', 'Endpoint', 'ConnectionProperties']
  const isArray = (name: string) => lists.includes(name)
  const parser = new XMLParser({ isArray, parseTagValue: false, trimValues: false })

  test.each(['application/xml', 'text/xml', vendorType('v71', 'xml')])('as %s is a channel', async (accept) => {
    const { text } = await nobody.get('/api/apis/versions?tag=shape', { accept })
    const { rss } = parser.parse(text)
    const [read] = rss.channel.item
    // An empty list leaves nothing in XML.
    const [, sandbox] = item.Endpoints.Endpoint
    const { ConnectionProperties: _, ...withoutProperties } = sandbox
    expect(read).toEqual({
      ...item,
      EntityReferences: { EntityReference: [{ Title: 'A <& B', Guid: api.APIID }] },
      Endpoints: { Endpoint: [item.Endpoints.Endpoint[0], withoutProperties] },
    })
  })

  test.each(mediaVersions.slice(1).map((v) => vendorType(v, 'xml')))('as %s is APIVersions', async (accept) => {
    const { text } = await nobody.get('/api/apis/versions?tag=all', { accept })
    const each = await Promise.all(
      [version, api.APIVersion].map(({ APIVersionID }) => nobody.get(`/api/apis/versions/${APIVersionID}`, { accept })),
    )
    const [declaration] = each[0]?.text.match(/^<\?xml[^>]*>/) ?? []
    const elements = each.map((one) => one.text.replace(declaration as string, '')).join('')
    expect(text).toBe(`${declaration}<APIVersions>${elements}</APIVersions>`)
    const empty = await nobody.get('/api/apis/versions?tag=none', { accept })
    expect(empty.text).toBe(`${declaration}<APIVersions></APIVersions>`)
  })

  test('of the highest type in Accept that the operation has', async () => {
    const accept = `${vendorType('v81', 'json')}, text/javascript, */*; q=0.01`
    expect(Array.isArray((await nobody.get('/api/apis/versions', { accept })).json)).toBe(true)
    expect((await nobody.get('/api/apis/versions', { accept: 'text/html' })).status).toBe(406)
  })

  test('faults have their own shape in every type', async () => {
    for (const accept of mediaVersions.flatMap((v) => [vendorType(v, 'json'), vendorType(v, 'xml')])) {
      const answer = await nobody.get('/api/apis/versions?count=0', { accept })
      expect([answer.status, answer.headers['content-type']]).toEqual([400, `${accept}; charset=utf-8`])
      expect(answer.text).toMatch(/^(\{"faultcode"|<\?xml[^>]*><Fault>)/)
    }
  })

  test('an item without endpoints has an empty list of them', async () => {
    const [first] = itemsOf([await nobody.get('/api/apis/versions?name=FIRST')])
    expect([first.title, first.description, first.Endpoints]).toEqual(['first', '', { Endpoint: [] }])
  })
})

describe('filters and sorting', async () => {
  const person = await service.person()
  const api = await addApi(owner, { Name: 'Filtered' }, { Name: 'V a', Tag: ['g'] })
  await owner.post(`/api/groups/${api.AdminGroupID}/members`, { UserID: person.id })
  await addVersion(api, { Name: 'v C', Tag: ['g'], Visibility: 'Limited' })
  await addVersion(api, { Name: 'v b', Tag: ['G'] })
  const all = '/api/apis/versions?tag=g'
  const one = `/api/apis/${api.APIID}/versions?tag=g`

  test.each([all, one])('%s', async (list) => {
    const { client } = person
    expect(await titlesOf(client, list)).toEqual(['v b', 'v C', 'V a'])
    expect(await titlesOf(client, `${list}&count=1&sort=created&order=asc`)).toEqual(['V a', 'v C', 'v b'])
    expect(await titlesOf(client, `${list}&count=1&sort=name`)).toEqual(['V a', 'v b', 'v C'])
    expect(await titlesOf(client, `${list}&count=2&sort=name&order=desc`)).toEqual(['v C', 'v b', 'V a'])
    expect(await titlesOf(client, `${list}&count=2&sort=updated`)).toEqual(['v b', 'v C', 'V a'])
    expect(await titlesOf(client, `${list}&name=V+A`)).toEqual(['V a'])
    expect(await titlesOf(client, `${list}&visibility=Limited`)).toEqual(['v C'])
    expect(await titlesOf(client, `${list}&state=com.platform.api.state.open&start=1`)).toEqual(['v C', 'V a'])
    expect(await titlesOf(nobody, list)).toEqual(['v b', 'V a'])
    for (const wrong of ['visibility=x', 'state=x', 'sort=x', 'order=x', 'count=0', 'start=10001', 'cursor=x']) {
      const answer = await client.get(`${list}&${wrong}`)
      expect([answer.status, answer.json.errors[0].pointer]).toEqual([400, `/${wrong.split('=')[0]}`])
    }
  })

  test.each(['/api/apis/versions', one])('admin: the versions that a user administers: %s', async (list) => {
    const [path] = list.split('?')
    for (const client of [person.client, owner]) {
      expect(await titlesOf(client, `${path}?admin=${person.id}&sort=name`)).toEqual(['V a', 'v b', 'v C'])
    }
    expect((await nobody.get(`${path}?admin=${person.id}`)).status).toBe(401)
    const other = await service.person()
    expect(await titlesOf(other.client, `${path}?admin=${other.id}`)).toEqual([])
  })
})

describe('the versions of an API', async () => {
  const open = await addApi(owner, { Name: 'Open' }, { Name: '1' })
  const closed = await addApi(owner, { Name: 'Closed', Visibility: 'Limited' }, { Name: '1', Visibility: 'Public' })

  test('are a channel in every media version, newest first', async () => {
    await addVersion(open, { Name: '2' })
    for (const accept of ['application/json', ...mediaVersions.map((v) => `application/vnd.platform.${v}+json`)]) {
      const { json } = await nobody.get(`/api/apis/${open.APIID}/versions`, { accept })
      expect(json.channel.item.map(({ title }: { title: string }) => title)).toEqual(['2', '1'])
    }
    for (const accept of ['text/xml', ...mediaVersions.map((v) => `application/vnd.platform.${v}+xml`)]) {
      expect((await nobody.get(`/api/apis/${open.APIID}/versions`, { accept })).text).toContain('<rss><channel>')
    }
  })

  test('are for those who may read the API', async () => {
    expect((await nobody.get(`/api/apis/${closed.APIID}/versions`)).status).toBe(401)
    expect((await (await service.person()).client.get(`/api/apis/${closed.APIID}/versions`)).status).toBe(401)
    expect(await titlesOf(owner, `/api/apis/${closed.APIID}/versions`)).toEqual(['1'])
  })

  test('of an API that does not exist: 404, and of a version: 404 that says so', async () => {
    expect((await owner.get('/api/apis/x/versions')).status).toBe(404)
    const answer = await owner.get(`/api/apis/${open.LatestVersionID}/versions`)
    expect([answer.status, answer.json.faultstring]).toEqual([404, expect.stringContaining('[apiversion]')])
  })

  test('by cursor: all that were there, each once, while others are added', async () => {
    const api = await addApi(owner, { Name: 'Many' }, { Name: '0' })
    const before = [api.LatestVersionID]
    for (let name = 1; name < 9; name++) before.push((await addVersion(api, { Name: String(name) })).APIVersionID)
    let added = 9
    for (const list of [`/api/apis/${api.APIID}/versions`, '/api/apis/versions']) {
      for (const sort of ['created', 'created&order=asc', 'name', 'name&order=desc', 'updated']) {
        const pages = await everyPage(nobody, `${list}?sort=${sort}&count=4`, async () => {
          if (added++ < 40) await addVersion(api, { Name: `${added}` })
        })
        const ids = itemsOf(pages).map(({ guid }) => guid.value)
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids).toEqual(expect.arrayContaining(before))
      }
    }
  })
})

test('a page ends before it becomes too large, and the next goes on', async () => {
  const api = await addApi(owner, { Name: 'Large' }, { Name: '0', Tag: ['large'] })
  const Description = 'x'.repeat(65_000)
  const operations = Array.from({ length: 1100 }, (_, i) => ({ Name: `o${i}`, InputContentType: 'y'.repeat(1000) }))
  for (let name = 1; name <= 5; name++) {
    await addVersion(api, { Name: String(name), Tag: ['large'], Description, Operations: { Operation: operations } })
  }
  const accept = 'application/vnd.platform.v81+json'
  const first = await nobody.get('/api/apis/versions?tag=large&count=100', { accept })
  const second = await nobody.get(nextPage(first) as string, { accept })
  const most = 4_194_304
  const brackets = first.json.length + 1
  expect(first.bytes.length).toBeLessThanOrEqual(most + brackets)
  expect(first.bytes.length + JSON.stringify(second.json[0]).length).toBeGreaterThan(most + brackets)
  expect(first.json.length + second.json.length).toBe(6)
  expect(nextPage(second)).toBeUndefined()

  // A channel shows little of them.
  for (const list of ['/api/apis/versions?tag=large', `/api/apis/${api.APIID}/versions?`]) {
    const channel = await nobody.get(`${list}&count=6`)
    expect([itemsOf([channel]).length, nextPage(channel)]).toEqual([6, undefined])
  }
})

test('a page of a channel ends before what it shows becomes too large', async () => {
  const api = await addApi(owner, { Name: 'Many endpoints' }, { Name: '0', Tag: ['reached'] })
  const ConnectionProperties = Array.from({ length: 6 }, () => ({ Name: 'key', Value: 'x'.repeat(1000) }))
  const Endpoint = Array.from({ length: 200 }, (_, i) => ({ Uri: `https://${i}.example`, ConnectionProperties }))
  for (let name = 1; name <= 5; name++) {
    await addVersion(api, { Name: String(name), Tag: ['reached'], Endpoints: { Endpoint } })
  }
  const pages = await everyPage(nobody, '/api/apis/versions?tag=reached&count=100')
  expect(itemsOf(pages)).toHaveLength(6)
  expect(pages).toHaveLength(2)
  for (const { bytes } of pages) expect(bytes.length).toBeLessThan(4_300_000)
})

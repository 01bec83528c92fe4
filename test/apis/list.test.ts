import { XMLParser } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { addApi, everyPage, idsOf, itemsOf, nextPage, titlesOf } from '../support/lists.ts'
import { startService } from '../support/service.ts'

const service = await startService({ PUBLIC_URL: 'https://apis.example.com' })
const owner = await service.siteAdmin()
const nobody = service.client()
const registered = 'com.platform.visibility.registered.users'
const open = 'com.platform.api.state.open'

const tagged = (name: string) => `/api/apis?tag=${name}`

describe('an item', async () => {
  const hostile = `<&]]>'"\u{1f600} é`
  const api = await addApi(
    owner,
    { Name: hostile, Description: 'What & why', Tag: ['shape'] },
    { Name: '2<3', Visibility: 'Public' },
  )
  const item = {
    title: hostile,
    description: 'What & why',
    category: [
      { value: 'Public', domain: 'uddi:platform.com:visibility' },
      { value: 'api', domain: 'uddi:platform.com:resourcetype' },
      { value: open, domain: 'uddi:platform.com:state' },
    ],
    guid: { value: api.APIID },
    pubDate: new Date(api.Created).toUTCString(),
    link: `https://apis.example.com/api/apis/${api.APIID}`,
    EntityReference: { Title: `${hostile} (2<3)`, Guid: api.LatestVersionID },
  }
  const types = ['', '.v71', '.v72', '.v80', '.v81'].map((v) => (v ? `application/vnd.platform${v}+` : 'application/'))

  test.each(types.map((type) => `${type}json`))('as %s', async (accept) => {
    const answer = await nobody.get(tagged('shape'), { accept })
    expect(answer.headers['content-type']).toBe(`${accept}; charset=utf-8`)
    expect(answer.json).toEqual({ channel: { title: 'APIs', item: [item] }, version: '1.0' })
  })

  test.each([...types.map((type) => `${type}xml`), 'text/xml'])('as %s', async (accept) => {
    const answer = await nobody.get(tagged('shape'), { accept })
    expect(answer.headers['content-type']).toBe(`${accept}; charset=utf-8`)
    const isArray = (name: string) => ['item', 'category'].includes(name)
    const parser = new XMLParser({ isArray, parseTagValue: false, trimValues: false, htmlEntities: true })
    const { rss } = parser.parse(answer.text)
    expect(rss).toEqual({ channel: { title: 'APIs', item: [item] }, version: '1.0' })
  })

  test('refers to no version that the caller may not read', async () => {
    const hidden = await addApi(owner, { Name: 'Half', Tag: ['half'] }, { Name: 'secret', Visibility: 'Limited' })
    const answer = await nobody.get(tagged('half'))
    const [shown] = answer.json.channel.item
    expect(shown.guid.value).toBe(hidden.APIID)
    expect(shown.EntityReference).toBeUndefined()
    expect(shown.category.map(({ domain }: { domain: string }) => domain)).not.toContain('uddi:platform.com:state')
    expect(answer.text).not.toContain('secret')
    expect(answer.text).not.toContain(hidden.LatestVersionID)
    expect(itemsOf(await everyPage(owner, tagged('half')))[0].EntityReference.Title).toBe('Half (secret)')
  })

  test('names another vendor and the address of the request where these are set so', async () => {
    const other = await startService({ VENDOR_CATEGORY_PREFIX: 'uddi:soa.com' }, service.connection)
    const { item } = (await other.client().get(tagged('shape'))).json.channel
    expect(item[0].category[0].domain).toBe('uddi:soa.com:visibility')
    expect(item[0].link).toBe(`${other.url}/api/apis/${api.APIID}`)
  })

  test('without items there is an empty list', async () => {
    expect((await nobody.get(tagged('none'))).json.channel.item).toEqual([])
    expect((await nobody.get(tagged('none'), { accept: 'application/xml' })).text).toContain(
      '<rss><channel><title>APIs</title></channel><version>1.0</version></rss>',
    )
  })
})

describe('filters', async () => {
  const person = await service.person()
  const mine = await addApi(owner, { Name: 'Filter Mine', Tag: ['f', 'Both'], Visibility: 'Limited' })
  await owner.post(`/api/groups/${mine.AdminGroupID}/members`, { UserID: person.id })
  const ours = await addApi(owner, { Name: 'filter Ours', Tag: ['f'], Visibility: registered })
  const all = await addApi(owner, { Name: 'FILTER_%', Tag: ['f', "it's \\ a tag"], Visibility: 'Public' })
  const ids = (path: string, client = person.client) => idsOf(client, path).then((found) => found.sort())
  const sorted = (...apis: { APIID: string }[]) => apis.map(({ APIID }) => APIID).sort()

  test('name: how it begins, in any case', async () => {
    expect(await ids('/api/apis?name=fILTER')).toEqual(sorted(mine, ours, all))
    expect(await ids('/api/apis?name=filter+')).toEqual(sorted(mine, ours))
    expect(await ids('/api/apis?name=filter_%25')).toEqual(sorted(all))
    expect(await ids('/api/apis?name=ilter')).toEqual([])
    expect(await ids('/api/apis?name=filter&sort=name')).toEqual(sorted(mine, ours, all))
    expect(await ids('/api/apis?name=filter&sort=name&order=desc&tag=f')).toEqual(sorted(mine, ours, all))
  })

  test('tag: the whole of one, in any case', async () => {
    expect(await ids('/api/apis?tag=F')).toEqual(sorted(mine, ours, all))
    expect(await ids('/api/apis?tag=bot')).toEqual([])
    expect(await ids('/api/apis?tag=both')).toEqual(sorted(mine))
    expect(await ids(`/api/apis?tag=${encodeURIComponent("it's \\ a tag")}`)).toEqual(sorted(all))
    expect(await ids('/api/apis?tag=f&name=filter+m')).toEqual(sorted(mine))
  })

  test('visibility and state', async () => {
    expect(await ids('/api/apis?tag=f&visibility=Limited')).toEqual(sorted(mine))
    expect(await ids(`/api/apis?name=filter&visibility=${registered}`)).toEqual(sorted(ours))
    expect(await ids(`/api/apis?name=filter&visibility=Public&state=${open}`)).toEqual(sorted(all))
    expect(await ids('/api/apis?tag=f&visibility=Limited', nobody)).toEqual([])
    expect(await idsOf(person.client, '/api/apis?visibility=Limited')).toEqual([mine.APIID])
  })

  test('admin: what a user administers, for that user and a Site Admin', async () => {
    expect(await ids(`/api/apis?admin=${person.id}`)).toEqual(sorted(mine))
    expect(await ids(`/api/apis?admin=${person.id}`, owner)).toEqual(sorted(mine))
    expect(await ids(`/api/apis?admin=${person.id}&tag=both`, owner)).toEqual(sorted(mine))
    expect(await ids(`/api/apis?admin=${person.id}&visibility=Public`, owner)).toEqual([])
    const other = await service.person('BusinessAdmin')
    expect((await other.client.get(`/api/apis?admin=${person.id}`)).status).toBe(401)
    expect((await nobody.get(`/api/apis?admin=${person.id}`)).status).toBe(401)
    for (const id of ['none', mine.APIID, `${person.id}x`]) {
      for (const path of ['/api/apis', '/api/apis/versions', `/api/apis/${mine.APIID}/versions`]) {
        const { status, json } = await owner.get(`${path}?admin=${id}`)
        const error = { pointer: '/admin', message: 'is the id of no user' }
        expect([status, json.faultstring, json.errors]).toEqual([404, `No user has the id "${id}".`, [error]])
      }
      expect((await other.client.get(`/api/apis?admin=${id}`)).status).toBe(401)
    }
  })

  test('names of parameters match in any case, empty ones do not count', async () => {
    expect(await ids('/api/apis?TAG=f&Count=1')).toEqual(sorted(mine, ours, all))
    const empty = 'name=&visibility=&state=&admin=&sort=&order=&start=&count=&cursor='
    expect(await ids(`/api/apis?tag=f&${empty}`)).toEqual(sorted(mine, ours, all))
  })

  test.each([
    ['visibility', 'public'],
    ['state', 'open'],
    ['sort', 'size'],
    ['order', 'up'],
    ['start', '-1'],
    ['start', '10001'],
    ['start', 'x'],
    ['count', '0'],
    ['count', '101'],
    ['count', '1.5'],
    ['cursor', 'x.y'],
    ['name', '%00'],
    ['tag', '%00'],
  ])('%s=%s: 400 that names it', async (name, value) => {
    const answer = await nobody.get(`/api/apis?${name}=${value}`)
    expect([answer.status, answer.json.errors?.[0]?.pointer]).toEqual([400, `/${name}`])
  })

  test('a parameter that is given twice: 400', async () => {
    expect((await nobody.get('/api/apis?tag=f&tag=g')).status).toBe(400)
  })
})

describe('sorting', async () => {
  const added = []
  for (const Name of ['b sorted', 'A sorted', 'c sorted', 'a sorted']) {
    added.push(await addApi(owner, { Name, Tag: ['sorted'] }))
  }
  await owner.send('PUT', `/api/apis/${added[1].APIID}`, { body: { Description: 'changed' } })
  const titles = (query: string) => titlesOf(nobody, `${tagged('sorted')}&count=3${query}`)

  test('newest first', async () => {
    expect(await titles('')).toEqual(['a sorted', 'c sorted', 'A sorted', 'b sorted'])
    expect(await titles('&sort=created')).toEqual(await titles('&sort=created&order=desc'))
    expect(await titles('&sort=created&order=asc')).toEqual((await titles('')).reverse())
  })

  test('by the last change', async () => {
    expect(await titles('&sort=updated')).toEqual(['A sorted', 'a sorted', 'c sorted', 'b sorted'])
    expect(await titles('&sort=updated&order=asc')).toEqual((await titles('&sort=updated')).reverse())
  })

  test('by name in any case', async () => {
    expect(await titles('&sort=name')).toEqual(['A sorted', 'a sorted', 'b sorted', 'c sorted'])
    expect(await titles('&sort=name&order=desc')).toEqual((await titles('&sort=name')).reverse())
  })
})

describe('paging', async () => {
  const added: string[] = []
  for (let number = 0; number < 23; number++) {
    added.unshift((await addApi(owner, { Name: `Page ${number % 3}`, Tag: ['paged'] })).APIID)
  }

  test('by start and count', async () => {
    const page = async (query: string) => itemsOf([await nobody.get(`${tagged('paged')}&${query}`)])
    expect((await page('')).map(({ guid }) => guid.value)).toEqual(added.slice(0, 20))
    expect((await page('start=20')).map(({ guid }) => guid.value)).toEqual(added.slice(20))
    expect((await page('start=5&count=4')).map(({ guid }) => guid.value)).toEqual(added.slice(5, 9))
    expect(await page('start=10000&count=100')).toEqual([])
  })

  test('the Link header leads on from any page, and only while there are more', async () => {
    for (const [query, sizes] of [
      ['count=23', [23]],
      ['count=22', [22, 1]],
      ['start=3&count=10', [10, 10]],
      ['start=4&count=10', [10, 9]],
      ['start=23', [0]],
    ] as const) {
      const pages = await everyPage(nobody, `${tagged('paged')}&${query}`)
      expect(pages.map(({ json }) => json.channel.item.length)).toEqual(sizes)
      expect(nextPage(pages.at(-1) as (typeof pages)[0])).toBeUndefined()
    }
  })

  test.each(['created', 'updated', 'name'].flatMap((sort) => [`${sort}&order=asc`, `${sort}&order=desc`]))(
    'by cursor, sorted by %s: all that were there, each once, while others are added',
    async (sort) => {
      const ids = itemsOf(
        await everyPage(nobody, `${tagged('paged')}&sort=${sort}&count=4`, async () => {
          const { APIID, LatestVersionID } = await addApi(owner, { Name: 'Page 1', Tag: ['paged'] })
          expect((await owner.send('DELETE', `/api/apis/versions/${LatestVersionID}`)).status, APIID).toBe(200)
          await addApi(owner, { Name: 'Page 1', Tag: ['paged', 'later'] })
        }),
      ).map(({ guid }) => guid.value)
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.filter((id) => added.includes(id)).sort()).toEqual([...added].sort())
      for (const id of await idsOf(owner, tagged('later'))) await owner.send('DELETE', `/api/apis/${id}`)
    },
  )

  test('a cursor holds for its own list only', async () => {
    const next = nextPage(await nobody.get(`${tagged('paged')}&count=2`)) as string
    const cursor = new URL(next, service.url).searchParams.get('cursor') as string
    expect((await nobody.get(`${tagged('PAGED')}&cursor=${cursor}`)).status).toBe(400)
    expect((await nobody.get(`/api/apis?cursor=${cursor}`)).status).toBe(400)
    expect((await nobody.get(`${tagged('paged')}&sort=name&cursor=${cursor}`)).status).toBe(400)
    expect((await nobody.get(`/api/apis/versions?tag=paged&cursor=${cursor}`)).status).toBe(400)
    expect((await nobody.get(`${tagged('paged')}&start=1&cursor=${cursor}`)).json.errors[0].pointer).toBe('/start')
    for (const other of [`${cursor}x`, `${cursor}.x`, `x${cursor}`, cursor.replace('.', '')]) {
      expect((await nobody.get(`${tagged('paged')}&cursor=${other}`)).json.errors[0].pointer).toBe('/cursor')
    }
    const answer = await nobody.get(`/api/apis?count=5&cursor=${cursor}&Tag=paged`)
    expect(itemsOf([answer]).map(({ guid }) => guid.value)).toEqual(added.slice(2, 7))
  })
})

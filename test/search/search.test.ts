import { XMLParser } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { exampleVersion } from '../support/examples.ts'
import { addApi, everyPage, idsOf, itemsOf, nextPage, titlesOf } from '../support/lists.ts'
import { addManyApis } from '../support/many-apis.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const owner = await service.siteAdmin()
const nobody = service.client()
const search = (q: string, more = '') => `/api/search?q=${encodeURIComponent(q)}${more}`
const found = (q: string, client = nobody) => titlesOf(client, search(q))

async function addVersion(api: { APIID: string }, version: Record<string, unknown>) {
  const added = await owner.post(`/api/apis/${api.APIID}/versions`, version)
  expect(added.status, added.text).toBe(200)
  return added.json
}

describe('what finds an API', async () => {
  const operation = { Name: 'listWarehouseShelves', Method: 'GET', Path: '/warehouses/{warehouseId}/shelves' }
  const api = await addApi(
    owner,
    { Name: 'Café Petstore (EU)', Description: 'Sells hamsters.', Tag: ['fluffy things'] },
    { Name: 'beta7', Description: 'Preview of gerbils.', Tag: ['rodents'], Operations: { Operation: [operation] } },
  )
  await addVersion(api, { Name: 'gamma8', Description: 'Adds squirrels.' })
  const [title] = [api.Name]

  test.each([
    ['its name', 'petstore'],
    ['the beginning of a word of its name', 'petst'],
    ['a part of a word of its name', 'store'],
    ['its name without accents and case', 'CAFE'],
    ['its name with them', 'café'],
    ['its description', 'hamsters'],
    ['its tags', 'fluffy'],
    ['a version name', 'gamma8'],
    ['the name of an older version', 'beta7'],
    ['a version description', 'squirrels'],
    ['the description of an older version', 'gerbil'],
    ['version tags', 'rodents'],
    ['the name of an operation', 'listWarehouseShelves'],
    ['a word in the name of an operation', 'shelves'],
    ['the path of an operation', 'warehouses'],
    ['a parameter in a path', '{warehouseId}'],
    ['several words, of the API and of one of its versions', 'petstore hamsters listwarehouse'],
    ['words in any order', 'shelves CAFÉ'],
    ['words between other signs', `"petstore" & !'hamsters' | (eu):*`],
  ])('%s: %s', async (_what, q) => expect(await found(q)).toEqual([title]))

  test.each([
    ['a word that is nowhere', 'unicorn'],
    ['one of several words that is nowhere', 'petstore unicorn'],
    ['a part of a word outside names', 'quirrels'],
    ['words of two versions', 'gerbils squirrels'],
    ['no word', '&|!:*()<->'],
    ['nothing', ''],
    ['an emoji', '\u{1f600}'],
  ])('not %s: %s', async (_what, q) => expect(await found(q)).toEqual([]))

  test('changes with the API', async () => {
    const change = (body: unknown) => owner.send('PUT', `/api/apis/${api.APIID}`, { body })
    await change({ Name: 'Aquarium', Description: 'Sells guppies.', Tag: ['wet'] })
    for (const q of ['petstore', 'hamsters', 'fluffy', 'petstore shelves']) expect(await found(q)).toEqual([])
    for (const q of ['aquarium', 'quarium', 'guppies', 'wet', 'wet shelves', 'guppies squirrels', 'gamma8']) {
      expect(await found(q), q).toEqual(['Aquarium'])
    }
    await change({ Name: title, Description: 'Sells hamsters.', Tag: ['fluffy things'] })
    expect(await found('petstore hamsters fluffy gerbils')).toEqual([title])
    const info = { ApiSummary: 'About axolotls', VersionNotes: 'Now with newts.' }
    await owner.send('PUT', `/api/apis/versions/${api.LatestVersionID}/info`, { body: info })
    expect(await found('axolotls newts')).toEqual([title])
  })

  test('is what it is called in the end, however many rename it at once', async () => {
    const words = ['azure', 'beryl', 'coral']
    const api = await addApi(owner, { Name: 'ochre' })
    const rename = (times: number) =>
      owner.send('PUT', `/api/apis/${api.APIID}`, { body: { Name: words[times % words.length] } })
    const answers = await Promise.all(Array.from({ length: 16 }, (_, times) => rename(times)))
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200))
    const { Name } = (await owner.get(`/api/apis/${api.APIID}`)).json
    for (const word of words) expect(await found(word)).toEqual(word === Name ? [Name] : [])
  })

  test('changes with its versions', async () => {
    const version = await addVersion(api, { ...exampleVersion(), Name: 'delta', Description: 'Has parrots.' })
    expect(await found('parrots replacePet')).toEqual([title])
    await owner.send('PUT', `/api/apis/versions/${version.APIVersionID}`, {
      body: { Name: 'delta', Description: 'Has pigeons.' },
    })
    expect(await found('parrots')).toEqual([])
    expect(await found('replacePet')).toEqual([])
    expect(await found('pigeons petstore')).toEqual([title])
    await owner.send('DELETE', `/api/apis/versions/${version.APIVersionID}`)
    expect(await found('pigeons')).toEqual([])
  })
})

describe('the answer', async () => {
  const api = await addApi(owner, { Name: 'Zebra <&>', Description: 'Stripes' }, { Name: '1' })
  const types = ['', '.v71', '.v72', '.v80', '.v81'].map((v) => (v ? `application/vnd.platform${v}+` : 'application/'))
  const item = {
    title: 'Zebra <&>',
    description: 'Stripes',
    category: [
      { value: 'Public', domain: 'uddi:platform.com:visibility' },
      { value: 'api', domain: 'uddi:platform.com:resourcetype' },
      { value: 'com.platform.api.state.open', domain: 'uddi:platform.com:state' },
    ],
    guid: { value: api.APIID },
    pubDate: new Date(api.Created).toUTCString(),
    link: `${service.url}/api/apis/${api.APIID}`,
    EntityReference: { Title: 'Zebra <&> (1)', Guid: api.LatestVersionID },
  }
  const rss = { channel: { title: 'Search', item: [item] }, version: '1.0' }

  test.each(types)('is a channel of APIs as %sjson and xml', async (type) => {
    expect((await nobody.get(search('zebra'), { accept: `${type}json` })).json).toEqual(rss)
    const isArray = (name: string) => ['item', 'category'].includes(name)
    const parser = new XMLParser({ isArray, parseTagValue: false, trimValues: false })
    expect(parser.parse((await nobody.get(search('zebra'), { accept: `${type}xml` })).text).rss).toEqual(rss)
  })
})

describe('order', async () => {
  const add = (Name: string, Description = '') => addApi(owner, { Name, Description })
  await add('Order')
  await add('Reorder things')
  await add('Shipping', 'One order of magnitude')
  await add('Ordering')
  await add('Billing', 'Every order is billed')
  await add('order')

  test('by relevance: of that very name, in the name, then the others; newest first in each', async () => {
    const ranked = ['order', 'Order', 'Ordering', 'Reorder things', 'Billing', 'Shipping']
    expect(await found(' order ')).toEqual(ranked)
    expect(await titlesOf(nobody, search('order', '&sort=relevance'))).toEqual(ranked)
    for (const count of [1, 2, 3, 4, 6]) {
      const pages = await everyPage(nobody, search('order', `&count=${count}`))
      expect(itemsOf(pages).map(({ title }) => title)).toEqual(ranked)
      expect(pages).toHaveLength(Math.ceil(6 / count))
      expect(await titlesOf(nobody, search('order', `&start=${count}&count=2`))).toEqual(ranked.slice(count))
    }
  })

  test('by name, created and updated', async () => {
    const byName = ['Billing', 'Order', 'order', 'Ordering', 'Reorder things', 'Shipping']
    expect(await titlesOf(nobody, search('order', '&sort=name&count=2'))).toEqual(byName)
    expect(await titlesOf(nobody, search('order', '&sort=name&order=desc&count=4'))).toEqual([...byName].reverse())
    const newest = ['order', 'Billing', 'Ordering', 'Shipping', 'Reorder things', 'Order']
    expect(await titlesOf(nobody, search('order', '&sort=created&count=5'))).toEqual(newest)
    expect(await titlesOf(nobody, search('order', '&sort=updated'))).toEqual(newest)
    expect(await titlesOf(nobody, search('order', '&sort=created&order=asc'))).toEqual([...newest].reverse())
  })
})

test('by cursor: all that were there, each once, while others are added', async () => {
  const before: string[] = []
  for (let i = 0; i < 9; i++) {
    const said = i % 2 ? { Name: `Walrus ${i}` } : { Name: `Sea ${i}`, Description: 'walrus' }
    before.push((await addApi(owner, said)).APIID)
  }
  for (const sort of ['', '&sort=name', '&sort=created&order=asc', '&sort=updated']) {
    let added = 0
    const pages = await everyPage(nobody, search('walrus', `&count=2${sort}`), async () => {
      if (added++ < 6) await addApi(owner, { Name: added % 2 ? 'New walrus' : 'New', Description: 'walrus' })
    })
    const ids = itemsOf(pages).map(({ guid }) => guid.value)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(before))
  }
})

describe('what the caller may not read', async () => {
  const member = await service.person()
  const { client: plain } = await service.person()
  const { client: business } = await service.person('BusinessAdmin')
  const registered = 'com.platform.visibility.registered.users'

  async function addMine(api: Record<string, unknown>, version: Record<string, unknown>) {
    const added = await addApi(owner, api, version)
    await owner.post(`/api/groups/${added.AdminGroupID}/members`, { UserID: member.id })
    return added
  }

  test('is not found', async () => {
    await addMine({ Name: 'Hidden yeti', Visibility: 'Limited' }, { Description: 'bigfoot' })
    for (const q of ['yeti', 'bigfoot', 'yeti bigfoot', 'eti']) {
      expect([await found(q), await found(q, plain)]).toEqual([[], []])
      for (const client of [member.client, business, owner]) expect(await found(q, client)).toEqual(['Hidden yeti'])
    }
  })

  test('finds nothing, also where the API is public', async () => {
    const api = await addMine({ Name: 'Kraken' }, { Name: '1', Description: 'tentacle', Visibility: registered })
    await addVersion(api, { Name: '2', Description: 'whirlpool', Visibility: 'Limited' })
    const who = [nobody, plain, member.client, business]
    const finds = (q: string) => Promise.all(who.map(async (client) => (await found(q, client)).length))
    expect(await finds('kraken')).toEqual([1, 1, 1, 1])
    expect(await finds('tentacle')).toEqual([0, 1, 1, 1])
    expect(await finds('whirlpool')).toEqual([0, 0, 1, 1])
    expect(await finds('kraken whirlpool')).toEqual([0, 0, 1, 1])
    const { text } = await nobody.get(search('kraken'))
    expect(text).not.toContain(`Kraken (`)
  })
})

describe('words that very many have', async () => {
  const many = await startService()
  const light = await many.person()
  await addManyApis(many.connection, {
    count: 9000,
    name: `'name ' || i`,
    visibility: `(array['Public', 'Limited', 'Limited'])[1 + i % 3]`,
    words: `array['common', case when i % 900 = 6 then 'seldom' else 'often' end, 'mark' || i % 4]`,
    member: { userId: light.id.slice(0, 36), condition: 'i in (1, 2, 3, 4)' },
  })
  const counts = async (q: string, client = many.client()) => (await idsOf(client, search(q, '&count=100'))).length

  test.each([
    ['common', 3000, 3003, 9000],
    ['common seldom', 10, 10, 10],
    ['common often mark1', 750, 751, 2250],
  ])('%s: each caller finds all that they may read', async (q, all, mine, every) => {
    expect(await counts(q)).toBe(all)
    expect(await counts(q, light.client)).toBe(mine)
    expect(await counts(q, await many.siteAdmin())).toBe(every)
  })
})

describe('odd requests', () => {
  test.each([
    `'`,
    `''`,
    `\\`,
    `\\'`,
    '%',
    '_',
    ':*',
    '&',
    '!',
    '<->',
    '( | )',
    `a' & 'b`,
    `a:*`,
    `'a':A`,
    '-- x',
    '\u{1f469}\u200d\u{1f4bb}',
    '\ud55c\uad6d\uc5b4 \u65e5\u672c\u8a9e',
    '\ufdfa',
    '\u0130\u1e9e',
    'a\u0301'.repeat(200),
    'x'.repeat(500),
    '\u200b',
    '\r\n\t',
    'true',
    'null',
    '0',
    '{}',
    '[]',
    '$1',
    '/api/*',
    '__proto__',
    'a b c d e f g h i j k l m n o p',
  ])('%j: 200 or 400', async (q) => {
    for (const accept of ['application/json', 'application/xml']) {
      expect([200, 400]).toContain((await nobody.get(search(q), { accept })).status)
    }
    expect([200, 400]).toContain((await nobody.get(search(q, '&sort=name&start=5'))).status)
  })

  test.each([
    ['', '/q'],
    ['q=%00', '/q'],
    ['q=a%00b', '/q'],
    ['q=%EF%BF%BF', '/q'],
    [`q=${'x'.repeat(501)}`, '/q'],
    [`q=${'x'.repeat(10_000)}`, '/q'],
    ['q=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q', '/q'],
    ['q=a&q=b', '/q'],
    ['q=a&sort=size', '/sort'],
    ['q=a&order=asc', '/order'],
    ['q=a&sort=name&order=x', '/order'],
    ['q=a&count=101', '/count'],
    ['q=a&start=10001', '/start'],
    ['q=a&cursor=a.b', '/cursor'],
  ])('%.60s: 400 that names %s', async (query, pointer) => {
    const answer = await nobody.get(`/api/search?${query}`)
    expect([answer.status, answer.json.errors?.[0]?.pointer]).toEqual([400, pointer])
  })

  test('a cursor of another search: 400', async () => {
    for (let i = 0; i < 3; i++) await addApi(owner, { Name: `Cursor ${i}` })
    const next = nextPage(await nobody.get(search('cursor', '&count=1'))) as string
    expect((await nobody.get(next)).status).toBe(200)
    expect((await nobody.get(next.replace('q=cursor', 'q=curso'))).status).toBe(400)
    expect((await nobody.get(`${next}&sort=name`)).status).toBe(400)
  })

  test('text that is larger than search keeps is stored all the same', async () => {
    const Description = Array.from({ length: 9000 }, (_, i) => `w${i}`).join(' ')
    const operations = Array.from({ length: 4000 }, (_, i) => ({
      Name: `\u{10400}\u{10400}op${i}`.padEnd(120, `${i}`),
    }))
    const api = await addApi(
      owner,
      {
        Name: '\u{10428}'.repeat(250),
        Description,
        Tag: Array.from({ length: 100 }, (_, i) => `'\\${i}`.padEnd(255, '\ufdfa')),
      },
      { Name: '\u0130'.repeat(255), Description, Operations: { Operation: operations } },
    )
    expect(await idsOf(nobody, search('\u{10400}'.repeat(60)))).toEqual([api.APIID])
    expect(await idsOf(nobody, search('w77 \u{10428}\u{10428}op77'))).toEqual([api.APIID])
    expect(await idsOf(nobody, `/api/apis?tag=${encodeURIComponent(`'\\7`.padEnd(255, '\ufdfa'))}`)).toEqual([
      api.APIID,
    ])
  })
})

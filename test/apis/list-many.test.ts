import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { everyPage, itemsOf, nextPage } from '../support/lists.ts'
import { addManyApis } from '../support/many-apis.ts'
import { startService } from '../support/service.ts'

// More than are sorted at once, more than are walked in one go, more memberships than are looked up one by one.
const service = await startService()
const heavy = await service.person()
const light = await service.person()
const callers = {
  nobody: { client: service.client(), userId: null, visible: ['Public'] },
  'a plain user': { ...(await service.person()), userId: null, visible: ['Public', 'RegisteredUsers'] },
  'a member of few groups': { ...light, userId: unique(light.id), visible: ['Public', 'RegisteredUsers'] },
  'a member of many groups': { ...heavy, userId: unique(heavy.id), visible: ['Public', 'RegisteredUsers'] },
  'a Site Admin': {
    client: await service.siteAdmin(),
    userId: null,
    visible: ['Public', 'RegisteredUsers', 'Limited'],
  },
}

function unique(id: string): string {
  return id.slice(0, 36)
}

const visibility = `(array['Public', 'Public', 'Public', 'RegisteredUsers', 'Limited', 'Limited'])[1 + i % 6]`
await addManyApis(service.connection, {
  count: 13_500,
  name: `'name ' || i % 3000`,
  visibility,
  versionVisibility: `case when i % 11 = 0 then 'Limited' else ${visibility} end`,
  words: `array_remove(array[case when i < 2600 then '#old' else '#new' end, case when i % 600 = 4 then '#rare' end], null)`,
  member: { userId: unique(heavy.id), condition: 'i % 3 > 0' },
})
await sql`insert into group_member select group_id, ${unique(light.id)}::uuid from group_member order by group_id limit 40`.execute(
  service.db,
)

/** What the caller should see, by the plainest SQL. */
async function expected(table: 'api' | 'api_version', caller: keyof typeof callers, condition: string, order: string) {
  const { userId, visible } = callers[caller]
  const { rows } = await sql<{ id: string }>`
    select t.id from ${sql.table(table)} t
    where (${sql.ref(table === 'api' ? 't.visibility' : 't.listing')} = any(${visible}::text[]) or exists (
      select from group_member m where m.group_id = t.admin_group_id and m.user_id = ${userId}::uuid))
      and ${sql.raw(condition)} order by ${sql.raw(order)}`.execute(service.db)
  return rows.map(({ id }) => `${id}.platform`)
}

describe.each(Object.keys(callers) as (keyof typeof callers)[])('%s sees just what single reads allow', (caller) => {
  test.each([
    ['/api/apis?count=100', 'true', 'created desc, id desc'],
    ['/api/apis?count=100&tag=old', `t.search @@ '''#old'''`, 'created desc, id desc'],
    ['/api/apis?count=100&tag=rare&sort=name', `t.search @@ '''#rare'''`, 'sort_name, id'],
    ['/api/apis?count=100&name=NAME+1', `t.name like 'name 1%'`, 'created desc, id desc'],
    ['/api/apis?count=100&name=name+12&sort=name&order=desc', `t.name like 'name 12%'`, 'sort_name desc, id desc'],
    ['/api/apis/versions?count=100&tag=old', `t.search @@ '''#old'''`, 'created desc, id desc'],
    ['/api/apis/versions?count=100&tag=rare&sort=updated&order=asc', `t.search @@ '''#rare'''`, 'updated, id'],
    ['/api/apis/versions?count=100&visibility=Limited', `t.visibility = 'Limited'`, 'created desc, id desc'],
  ])('%s', async (path, condition, order) => {
    const table = path.startsWith('/api/apis/versions') ? 'api_version' : 'api'
    const pages = await everyPage(callers[caller].client, path)
    const ids = itemsOf(pages).map(({ guid }) => guid.value)
    expect(ids).toEqual(await expected(table, caller, condition, order))
  })
})

test('a page may be empty though the next is not, when rows of a tag are far away', async () => {
  const pages = await everyPage(callers.nobody.client, '/api/apis?count=100&tag=old')
  expect(pages[0]?.json.channel.item).toEqual([])
  expect(pages[1]?.json.channel.item.length).toBe(100)
})

test('start skips rows of a tag over the pages that it takes to find them', async () => {
  const ids = await expected('api', 'nobody', `t.search @@ '''#old'''`, 'created desc, id desc')
  const pages = await everyPage(callers.nobody.client, '/api/apis?count=50&tag=old&start=1200')
  expect(itemsOf(pages).map(({ guid }) => guid.value)).toEqual(ids.slice(1200))
})

test('a cursor tells nobody where rows stand that they may not read', async () => {
  await addManyApis(service.connection, {
    count: 5100,
    name: `'secret ' || i`,
    visibility: `'Limited'`,
    words: `array['#hidden']`,
  })
  const page = await heavy.client.get('/api/apis?tag=hidden&sort=name&order=desc')
  expect(itemsOf([page])).toEqual([])
  const cursor = new URL(nextPage(page) as string, service.url).searchParams.get('cursor') as string
  expect(Buffer.from(cursor, 'base64url').toString()).not.toContain('secret')
})

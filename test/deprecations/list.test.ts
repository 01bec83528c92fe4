import fc from 'fast-check'
import { XMLParser } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { addTwoVersions, deprecate, deprecationOf } from '../support/deprecations.ts'
import { everyPage, nextPage } from '../support/lists.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const owner = await service.siteAdmin()
const member = await service.person()
const callers = {
  nobody: service.client(),
  plain: (await service.person()).client,
  member: member.client,
  business: (await service.person('BusinessAdmin')).client,
}

const visibility = fc.constantFrom('Public', 'com.platform.visibility.registered.users', 'Limited')
const deprecated = fc.record({
  visibility,
  older: visibility,
  newer: visibility,
  isMine: fc.boolean(),
  day: fc.integer({ min: 1, max: 5 }),
  isDeprecated: fc.boolean(),
})

const listed = async (client: Client, count: number) =>
  (await everyPage(client, `/api/deprecations?count=${count}`)).flatMap(({ json }) => json)

test('the list has what single reads have, the newest first, on pages of any size', async () => {
  const ids: string[] = []
  const add = async (made: typeof deprecated extends fc.Arbitrary<infer T> ? T : never) => {
    const { groupId, older, newer } = await addTwoVersions(
      owner,
      { Visibility: made.visibility },
      { Visibility: made.older },
      { Visibility: made.newer },
    )
    ids.push(older)
    if (made.isMine) await owner.post(`/api/groups/${groupId}/members`, { UserID: member.id })
    const Deprecated = `2026-01-0${made.day}T00:00:00Z`
    const { status } = await deprecate(owner, older, { Deprecated, SuccessorVersionID: newer })
    if (status !== 200) await deprecate(owner, older, { Deprecated })
    if (!made.isDeprecated) await owner.send('DELETE', deprecationOf(older))
  }
  await fc.assert(
    fc.asyncProperty(fc.array(deprecated, { maxLength: 6 }), fc.integer({ min: 1, max: 7 }), async (more, count) => {
      await Promise.all(more.map(add))
      for (const [name, client] of Object.entries(callers)) {
        const answers = await Promise.all(ids.map((id) => client.get(deprecationOf(id))))
        const alone = answers.filter(({ status }) => status === 200).map(({ json }) => json)
        const place = (each: (typeof alone)[number]) => each.Deprecated + each.APIVersionID
        alone.sort((a, b) => (place(a) < place(b) ? 1 : -1))
        expect(await listed(client, count), name).toEqual(alone)
      }
    }),
    { numRuns: 6 },
  )
}, 60_000)

test('it is answered as XML', async () => {
  const { older } = await addTwoVersions(owner)
  await deprecate(owner, older, { Deprecated: '9999-01-01T00:00:00Z', Notes: '007' })
  const { text } = await callers.nobody.get('/api/deprecations?count=1', { accept: 'application/xml' })
  const { Deprecation } = new XMLParser({ parseTagValue: false }).parse(text, true).Deprecations
  expect(Deprecation).toEqual((await owner.get(deprecationOf(older))).json)
})

test.each(['count=0', 'count=101', 'count=x', 'start=-1', 'start=10001', 'cursor=x', 'start=1&cursor=x'])(
  '%s is a 400, in JSON where a calendar was wanted',
  async (query) => {
    for (const accept of ['application/json', 'text/calendar']) {
      const answer = await owner.get(`/api/deprecations?${query}`, { accept })
      expect([answer.status, answer.json.faultcode]).toEqual([400, 'Malformed'])
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    }
  },
)

test('a cursor is good for this list only', async () => {
  await Promise.all([1, 2].map(async () => deprecate(owner, (await addTwoVersions(owner)).older)))
  const cursor = /cursor=([^>&]+)/.exec(String(nextPage(await owner.get('/api/deprecations?count=1'))))?.[1]
  expect((await owner.get(`/api/deprecations?cursor=${cursor}`)).status).toBe(200)
  expect((await owner.get(`/api/apis?cursor=${cursor}`)).status).toBe(400)
})

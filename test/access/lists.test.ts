import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { addApi, everyPage, idsOf, itemsOf } from '../support/lists.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const owner = await service.siteAdmin()
const member = await service.person()
const callers: Record<string, Client> = {
  nobody: service.client(),
  plain: (await service.person()).client,
  member: member.client,
  business: (await service.person('BusinessAdmin')).client,
}

const visibility = fc.constantFrom('Public', 'com.platform.visibility.registered.users', 'Limited')
const api = fc.record({
  visibility,
  versions: fc.array(visibility, { minLength: 1, maxLength: 3 }),
  isMine: fc.boolean(),
})
const page = fc.record({ count: fc.integer({ min: 1, max: 5 }), sort: fc.constantFrom('created', 'updated', 'name') })

let runs = 0

/** Adds the APIs, each with a tag and a word of this run, and versions with words of their own. */
async function add(apis: (typeof api extends fc.Arbitrary<infer T> ? T : never)[]) {
  const run = `run${++runs}`
  const added: { id: string; versions: { id: string; word: string }[] }[] = []
  for (const { visibility, versions, isMine } of apis) {
    const word = () => `${run}v${added.length}x${ids.length}`
    const ids: { id: string; word: string }[] = []
    const version = (Visibility: string) => ({ Name: `${ids.length}`, Description: word(), Tag: [run], Visibility })
    const [first, ...more] = versions as [string, ...string[]]
    const body = { Name: `api ${added.length % 2}`, Description: run, Tag: [run], Visibility: visibility }
    const made = await addApi(owner, body, version(first))
    ids.push({ id: made.APIVersion.APIVersionID, word: word() })
    for (const each of more) {
      const { json } = await owner.post(`/api/apis/${made.APIID}/versions`, version(each))
      ids.push({ id: json.APIVersionID, word: word() })
    }
    if (isMine) await owner.post(`/api/groups/${made.AdminGroupID}/members`, { UserID: member.id })
    added.push({ id: made.APIID, versions: ids })
  }
  return { run, added }
}

async function isReadable(client: Client, path: string): Promise<boolean> {
  return (await client.get(path)).status === 200
}

test('lists and search show exactly what single reads allow', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(api, { maxLength: 5 }), page, async (apis, { count, sort }) => {
      const { run, added } = await add(apis)
      const paging = `&count=${count}&sort=${sort}`
      for (const [name, client] of Object.entries(callers)) {
        const readable: string[] = []
        const readableVersions: string[] = []
        for (const { id, versions } of added) {
          if (await isReadable(client, `/api/apis/${id}`)) readable.push(id)
          for (const version of versions) {
            const isOpen = await isReadable(client, `/api/apis/versions/${version.id}`)
            if (isOpen) readableVersions.push(version.id)
            expect(await idsOf(client, `/api/search?q=${version.word}`), name).toEqual(isOpen ? [id] : [])
          }
          const ofApi = await client.get(`/api/apis/${id}/versions?count=100`)
          expect(ofApi.status).toBe(readable.includes(id) ? 200 : 401)
          if (ofApi.status !== 200) continue
          const shown = itemsOf([ofApi]).map(({ guid }) => guid.value)
          const open = versions.map((version) => version.id).filter((each) => readableVersions.includes(each))
          expect(shown.sort()).toEqual(open.sort())
        }
        expect((await idsOf(client, `/api/apis?tag=${run}${paging}`)).sort(), name).toEqual(readable.sort())
        expect((await idsOf(client, `/api/search?q=${run}${paging}`)).sort(), name).toEqual(readable)
        const versions = await idsOf(client, `/api/apis/versions?tag=${run}${paging}`)
        expect(versions.sort(), name).toEqual(readableVersions.sort())
      }
    }),
    { numRuns: 12 },
  )
}, 120_000)

test('what no filter narrows shows exactly what single reads allow', async () => {
  for (const [name, client] of Object.entries(callers)) {
    for (const [list, one] of [
      ['/api/apis', '/api/apis'],
      ['/api/apis/versions', '/api/apis/versions'],
    ] as const) {
      const all = await idsOf(owner, `${list}?count=100`)
      const open: string[] = []
      for (const id of all) if (await isReadable(client, `${one}/${id}`)) open.push(id)
      expect(await idsOf(client, `${list}?count=7`), name).toEqual(open)
    }
  }
}, 120_000)

test('a visibility that changes changes the lists and the search at once', async () => {
  const client = callers.plain as Client
  const made = await addApi(owner, { Name: 'Chameleon', Tag: ['lizard'] }, { Description: 'tongue', Tag: ['lizard'] })
  const lists = [
    '/api/apis?tag=lizard',
    '/api/apis/versions?tag=lizard',
    '/api/search?q=chameleon',
    '/api/search?q=tongue',
    '/api/apis?name=chameleon',
    '/api/apis?name=chameleon&sort=name',
  ]
  const sizes = async () => Promise.all(lists.map(async (list) => itemsOf(await everyPage(client, list)).length))
  for (const [Visibility, size] of [
    ['Limited', 0],
    ['Public', 1],
    ['Limited', 0],
  ] as const) {
    await owner.send('PUT', `/api/apis/${made.APIID}`, { body: { Visibility } })
    expect(await sizes()).toEqual(lists.map(() => size))
  }
  await owner.post(`/api/groups/${made.AdminGroupID}/members`, { UserID: member.id })
  expect(await idsOf(member.client, '/api/search?q=tongue')).toEqual([made.APIID])
  await owner.send('DELETE', `/api/groups/${made.AdminGroupID}/members/${member.id}`)
  expect(await idsOf(member.client, '/api/search?q=tongue')).toEqual([])
  expect(await idsOf(member.client, '/api/apis?tag=lizard')).toEqual([])
})

import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { XMLParser } from 'fast-xml-parser'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { addTwoVersions, deprecate } from '../support/deprecations.ts'
import { everyPage } from '../support/lists.ts'
import { type Service, startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()
const reader = await service.person()

/** A new deprecated version, and what is said of who reads it. */
async function deprecatedVersion() {
  const { apiId, older, newer } = await addTwoVersions(admin)
  // The older one, so that it is nested nowhere until the newer one goes.
  await deprecate(admin, older)
  const path = `/api/apis/versions/${older}`
  const consumers = async () => (await admin.get(`${path}/consumers?count=100`)).json
  return { apiId, id: older.replace('.platform', ''), newer, path, consumers }
}

const readAs = (path: string, agent?: string, on: Service = service) =>
  on.client().get(path, agent === undefined ? {} : { 'user-agent': agent })
const sum = (consumers: { Reads: number }[]) => consumers.reduce((all, { Reads }) => all + Reads, 0)
const today = async () =>
  (await sql<{ day: string }>`select (now() at time zone 'UTC')::date::text as day`.execute(service.db)).rows[0]?.day

test('each read counts, for the user or else for what the program calls itself', async () => {
  const { apiId, newer, path, consumers } = await deprecatedVersion()
  const { etag } = (await readAs(path, 'one')).headers
  const unchanged = { 'user-agent': 'one', 'if-none-match': String(etag) }
  expect((await service.client().get(path, unchanged)).status).toBe(304)
  await readAs(`${path}/definition/oas31`, 'one')
  await readAs(`${path}/swagger/all`, 'two')
  await reader.client.get(path, { 'user-agent': 'one' })
  await admin.send('DELETE', `/api/apis/versions/${newer}`)
  await readAs(`/api/apis/${apiId}?includeDefaultVersion=true`, 'two')
  await readAs(`/api/apis/${apiId}/versions`, 'two')
  await readAs(`/api/apis/${apiId}`, 'three')
  await readAs('/api/apis/versions', 'three')
  await readAs(`${path}/definition/none`, 'three')
  await readAs(`${path}/deprecation`, 'three')
  const LastRead = await today()
  const counted = (Reads: number) => ({ LastRead, ReadsOfLast30Days: Reads, Reads })
  const all = await consumers()
  expect(all).toHaveLength(3)
  expect(all).toEqual(
    expect.arrayContaining([
      { UserAgent: 'one', ...counted(3) },
      { UserAgent: 'two', ...counted(3) },
      { UserID: reader.id, UserName: reader.email, ...counted(1) },
    ]),
  )
})

test('a program that says nothing, much or what cannot be shown has a name too', async () => {
  const { path, consumers } = await deprecatedVersion()
  for (const agent of [undefined, '  ', 'x'.repeat(300), '\x80\t"\\{},é', "'; drop table x; --"])
    await readAs(path, agent)
  const names = (await consumers()).map(({ UserAgent }: { UserAgent: string }) => UserAgent)
  expect(names.sort()).toEqual(["'; drop table x; --", '(none)', '??"\\{},?', 'x'.repeat(200)].sort())
})

test('versions that are ordinary, or may not be read, are not counted', async () => {
  const { newer } = await deprecatedVersion()
  await readAs(`/api/apis/versions/${newer}`, 'one')
  const hidden = await addTwoVersions(admin, { Visibility: 'Limited' })
  await deprecate(admin, hidden.older)
  expect((await readAs(`/api/apis/versions/${hidden.older}`, 'one')).status).toBe(401)
  for (const id of [newer, hidden.older]) {
    expect((await admin.get(`/api/apis/versions/${id}/consumers`)).json).toEqual([])
  }
})

test('who may not modify the version does not see its consumers', async () => {
  const { path } = await deprecatedVersion()
  for (const client of [service.client(), reader.client]) {
    expect((await client.get(`${path}/consumers`)).status).toBe(401)
  }
  expect((await admin.get('/api/apis/versions/x/consumers')).status).toBe(404)
})

describe('over several days', async () => {
  const { id, path } = await deprecatedVersion()
  const rows: [number, string, number][] = [
    [0, 'a', 1],
    [29, 'a', 10],
    [30, 'a', 100],
    [399, 'a', 1000],
    [30, 'b', 5],
  ]
  for (const [days, agent, reads] of rows) {
    await sql`insert into version_reads (version_id, day, agent, reads)
      values (${id}, (now() at time zone 'UTC')::date - ${days}::integer, ${agent}, ${reads})`.execute(service.db)
  }
  const counts = ({ json }: { json: Record<string, unknown>[] }) =>
    json.map(({ UserAgent, ReadsOfLast30Days, Reads }) => [UserAgent, ReadsOfLast30Days, Reads])

  test('those of the last 30 are counted apart, and the last reader comes first', async () => {
    expect(counts(await admin.get(`${path}/consumers`))).toEqual([
      ['a', 11, 1111],
      ['b', 0, 5],
    ])
  })

  test('pages follow each other', async () => {
    const pages = await everyPage(admin, `${path}/consumers?count=1`)
    expect(pages.map(counts)).toEqual([[['a', 11, 1111]], [['b', 0, 5]]])
    expect((await admin.get(`${path}/consumers?count=0`)).status).toBe(400)
  })

  test('as XML', async () => {
    const { text } = await admin.get(`${path}/consumers?start=1`, { accept: 'text/xml' })
    const { Consumer } = new XMLParser().parse(text, true).Consumers
    expect(Consumer).toMatchObject({ UserAgent: 'b', ReadsOfLast30Days: 0, Reads: 5 })
  })
})

test('what is not written when the service stops is written then, and several add up', async () => {
  const { path, consumers } = await deprecatedVersion()
  const others = await Promise.all([startService({}, service.connection), startService({}, service.connection)])
  for (const other of [...others, service]) for (const _ of [1, 2, 3]) await readAs(path, 'one', other)
  await Promise.all(others.map(({ stop }) => stop()))
  const all = await consumers()
  expect([all.length, all[0].UserAgent, all[0].Reads]).toEqual([1, 'one', 9])
})

test('reads of a version that is removed meanwhile are dropped, those of others are not', async () => {
  const gone = await deprecatedVersion()
  const stays = await deprecatedVersion()
  await readAs(gone.path, 'one')
  await readAs(stays.path, 'one')
  await admin.send('DELETE', gone.path)
  expect(sum(await stays.consumers())).toBe(1)
})

test('a version that somebody has locked is counted later', async () => {
  const { id, path, consumers } = await deprecatedVersion()
  await readAs(path, 'one')
  await service.db.transaction().execute(async (trx) => {
    await trx.selectFrom('api_version').where('id', '=', id).select('id').forUpdate().execute()
    await service.app.writeReads()
    expect(await trx.selectFrom('version_reads').where('version_id', '=', id).select('reads').execute()).toEqual([])
  })
  expect(sum(await consumers())).toBe(1)
})

test('whoever asks while a version is read all the time is told at once', async () => {
  const { path, consumers } = await deprecatedVersion()
  await readAs(path, 'one')
  let isRead = true
  const keepReading = async (n: number) => {
    while (isRead) await pipelined(path, 500, () => `agent ${n}`)
  }
  const reading = Promise.all([1, 2, 3, 4].map(keepReading))
  await sleep(100)
  const asked = consumers()
  const heard = await Promise.race([asked, sleep(2000, [])])
  isRead = false
  await reading
  await asked
  expect(heard.map(({ UserAgent }: { UserAgent: string }) => UserAgent)).toContain('one')
})

test('while the database refuses, counts are kept', async () => {
  const { path, consumers } = await deprecatedVersion()
  await readAs(path, 'one')
  await sql`alter table version_reads rename to away`.execute(service.db)
  await service.app.writeReads()
  await readAs(path, 'one')
  await service.app.writeReads()
  await sql`alter table away rename to version_reads`.execute(service.db)
  expect(sum(await consumers())).toBe(2)
})

test('of ten thousand programs a thousand keep their names, in the memory and in the database', async () => {
  const { id, path } = await deprecatedVersion()
  await readAs(path, 'early')
  await service.app.writeReads()
  await Promise.all([1, 2, 3, 4].map((part) => pipelined(path, 2500, (n) => `agent ${part * 2500 - n}`)))
  await service.app.writeReads()
  await Promise.all([1, 2].map(() => pipelined(path, 10, (n) => `late ${n}`)))
  await readAs(path, 'early')
  await service.app.writeReads()
  const rows = await service.db.selectFrom('version_reads').where('version_id', '=', id).selectAll().execute()
  expect(rows.length).toBeLessThanOrEqual(1001)
  expect(rows.length).toBeGreaterThan(900)
  expect(rows.reduce((all, { reads }) => all + Number(reads), 0)).toBe(10_022)
  expect(rows.some(({ agent }) => agent?.startsWith('late'))).toBe(false)
  expect(rows.find(({ agent }) => agent === 'early')?.reads).toBe('2')
})

/** Sends a stretch of requests over one connection at a time, without waiting for answers in between. */
async function pipelined(path: string, count: number, agent: (n: number) => string): Promise<void> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  const stretch = 50
  for (let sent = 0; sent < count; sent += stretch) {
    const size = Math.min(stretch, count - sent)
    const request = (n: number) => `HEAD ${path} HTTP/1.1\r\nHost: x\r\nUser-Agent: ${agent(n)}\r\n\r\n`
    socket.write(Array.from({ length: size }, (_, n) => request(sent + n)).join(''))
    for (let answers = ''; answers.split('HTTP/1.1 200').length <= size; ) answers += (await once(socket, 'data'))[0]
  }
  socket.destroy()
}

test('counts that are older than 400 days are not told, and go when a service starts, however many', async () => {
  const { id, consumers } = await deprecatedVersion()
  await sql`insert into version_reads (version_id, day, agent, reads)
    select ${id}, (now() at time zone 'UTC')::date - 400 - least(n, 1), 'agent ' || n, 1
    from generate_series(0, 15000) n`.execute(service.db)
  expect(await consumers()).toMatchObject([{ UserAgent: 'agent 0', Reads: 1 }])
  const replica = await startService({}, service.connection)
  const left = () => service.db.selectFrom('version_reads').where('version_id', '=', id).select('agent').execute()
  await expect.poll(left).toEqual([{ agent: 'agent 0' }])
  await replica.stop()
})

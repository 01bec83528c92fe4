import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ClientConfig } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { execute, freshDatabase } from '../support/database.ts'
import { exampleApi } from '../support/examples.ts'
import { eventually } from '../support/process.ts'
import { startService } from '../support/service.ts'
import { slowWrites } from '../support/slow-writes.ts'

/** Stands between the service and PostgreSQL, so that the database can be away or frozen for this service alone. */
function startProxy(target: ClientConfig) {
  const sockets = new Set<Socket>()
  let state: 'open' | 'frozen' | 'closed' = 'open'
  const server: Server = createServer((near) => {
    if (state === 'closed') return near.destroy()
    const far = target.host?.startsWith('/')
      ? createConnection(`${target.host}/.s.PGSQL.${target.port ?? 5432}`)
      : createConnection(Number(target.port ?? 5432), target.host)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => state === 'open' && to.write(bytes))
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
  })
  return {
    listen: () =>
      new Promise<number>((resolve) =>
        server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
      ),
    freeze: () => {
      state = 'frozen'
    },
    close: () => {
      state = 'closed'
      for (const socket of sockets) socket.destroy()
    },
    open: () => {
      state = 'open'
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const target = await freshDatabase()
const proxy = startProxy(target)
afterAll(proxy.stop)
const port = await proxy.listen()
const service = await startService({}, { ...target, host: '127.0.0.1', port })
const admin = await service.siteAdmin()
const { APIID, LatestVersionID } = (await admin.post('/api/apis', exampleApi())).json

test.each(['freeze', 'close'] as const)(
  'a database that cannot answer (%s): 503 with Retry-After within three seconds, and recovery without a restart',
  async (fault) => {
    proxy[fault]()
    const started = performance.now()
    const answers = await Promise.all([
      admin.get(`/api/apis/versions/${LatestVersionID}`),
      admin.post(`/api/apis/${APIID}/versions`, { Name: `while ${fault}` }),
      admin.get('/api/apis/versions/01a1fe54-1352-7774-9cbb-8bc9344eb79b.platform', { accept: 'application/xml' }),
      service.client().get('/readyz'),
    ])
    expect(performance.now() - started).toBeLessThan(3000)
    for (const answer of answers) {
      expect(answer.status).toBe(503)
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      expect(answer.text).toContain('Unavailable')
    }
    expect((await service.client().get('/livez')).status).toBe(200)

    proxy.open()
    await sleep(50)
    expect((await admin.get(`/api/apis/versions/${LatestVersionID}`)).status).toBe(200)
    expect((await admin.post(`/api/apis/${APIID}/versions`, { Name: `after ${fault}` })).status).toBe(200)
  },
)

test('a database that freezes behind a quiet moment: each request is answered in time', async () => {
  await sleep(1700)
  proxy.freeze()
  const started = performance.now()
  const answer = await service.client().get(`/api/apis/versions/${LatestVersionID}`)
  expect(performance.now() - started).toBeLessThan(3000)
  expect(answer.status).toBe(503)
  proxy.open()
  await sleep(50)
  expect((await admin.get('/readyz')).status).toBe(200)
})

test('more requests than connections while the database is frozen: each is answered in time', async () => {
  proxy.freeze()
  const started = performance.now()
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => service.client().get(`/api/apis/versions/${LatestVersionID}`)),
  )
  expect(performance.now() - started).toBeLessThan(3000)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
  proxy.open()
  await sleep(50)
  expect((await admin.get('/readyz')).status).toBe(200)
})

test('a database that works on something large is not away, until it freezes', async () => {
  await slowWrites(target, 'api_version', 20_000)
  const { APIID: id } = (await admin.post('/api/apis', { ...exampleApi(), Visibility: 'Limited' })).json
  const change = (body: object, headers = {}) => admin.send('PUT', `/api/apis/${id}`, { body, headers })
  const answered = change({ Visibility: 'Public' })
  expect(await Promise.race([answered, sleep(2000, 'works')])).toBe('works')
  proxy.freeze()
  const started = performance.now()
  expect((await answered).status).toBe(503)
  expect(performance.now() - started).toBeLessThan(3000)
  proxy.open()
  // PostgreSQL ends what nobody waits for: the API can be changed long before that would be done.
  await eventually(async () => expect((await change({})).status).toBe(200))
  // And what is refused is refused before the work.
  const refused = change({ Visibility: 'Public' }, { 'if-match': '"another"' })
  expect(await Promise.race([refused.then(({ status }) => status), sleep(10_000, 'works')])).toBe(412)
})

test('a connection that breaks while it is idle is told of once', async () => {
  const connection = await freshDatabase()
  const errors: Error[] = []
  const db = connect(connection, { poolSize: 1, namedStatements: true, onIdleError: (error) => errors.push(error) })
  await sql`select 1`.execute(db)
  await execute(connection, [
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  ])
  await eventually(async () => expect(errors).not.toEqual([]))
  await sql`select 1`.execute(db)
  expect(errors).toHaveLength(1)
  await db.destroy()
})

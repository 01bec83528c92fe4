import { createConnection, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { execute, freshDatabase } from '../support/database.ts'

const goodbye = Buffer.from([0x58, 0, 0, 0, 4])

test('a start waits for none before it whose connection a pooler has kept', async () => {
  const { host, port, user, password, database } = new pg.Client(await freshDatabase())
  const kept: Socket[] = []
  const pooler = createServer((client) => {
    const server = host.startsWith('/') ? createConnection(`${host}/.s.PGSQL.${port}`) : createConnection(port, host)
    kept.push(server)
    server.pipe(client)
    client.on('data', (bytes) => (bytes.equals(goodbye) ? client.end() : server.write(bytes)))
  })
  onTestFinished(() => {
    for (const server of kept) server.destroy()
    pooler.close()
  })
  const address = await new Promise<{ port: number }>((resolve) =>
    pooler.listen(0, '127.0.0.1', () => resolve(pooler.address() as { port: number })),
  )
  const pooled = { host: '127.0.0.1', port: address.port, user, password, database }
  const start = () => migrate(pooled).then(() => 'started')
  expect(await start()).toBe('started')
  expect(await Promise.race([start(), sleep(3000, 'waits')])).toBe('started')
})

test('a start waits longer for another replica than statements of its role may take', async () => {
  const connection = await freshDatabase()
  const { database } = new pg.Client(connection)
  await execute(connection, [`alter database "${database}" set statement_timeout = 200`])
  const other = new pg.Client(connection)
  await other.connect()
  onTestFinished(() => other.end())
  await other.query('begin; lock table schema_migration')
  const started = migrate(connection)
  expect(await Promise.race([started.then(() => 'started'), sleep(600, 'waits')])).toBe('waits')
  await other.query('commit')
  await started
})

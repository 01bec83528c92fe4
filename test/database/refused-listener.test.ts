import { createConnection, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'

/** Stands between the service and PostgreSQL, which cannot make out that somebody wants to listen. */
async function startGarbler(target: ClientConfig) {
  const sockets = new Set<Socket>()
  const open = new Set<Socket>()
  const tried = { times: 0 }
  const server = createServer((near) => {
    const far = target.host?.startsWith('/')
      ? createConnection(`${target.host}/.s.PGSQL.${target.port ?? 5432}`)
      : createConnection(Number(target.port ?? 5432), target.host)
    near.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      if (text.includes('listen changes')) {
        tried.times++
        open.add(near)
      }
      far.write(Buffer.from(text.replace('listen changes', 'lasten changes'), 'latin1'))
    })
    far.pipe(near)
    sockets.add(near).add(far)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as { port: number }).port, tried, open }
}

test('a connection on which the database lets nobody listen is closed before the next is tried', async () => {
  const target = await freshDatabase()
  const { port, tried, open } = await startGarbler(target)
  await startService({}, { ...target, host: '127.0.0.1', port })
  await expect.poll(() => tried.times, { timeout: 5000 }).toBeGreaterThan(3)
  await sleep(50)
  expect(open.size).toBe(0)
})

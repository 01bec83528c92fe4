import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { codeOf } from '../error-code.ts'
import { EmbeddedPostgresError } from './error.ts'
import { findHolder, type Lock, readLock } from './holder.ts'
import { removeForsaken } from './sockets.ts'

const answerMs = 2000
const retryMs = 100

/**
 * Deals with a server that already runs on the folder: stops it when it is an orphan, that is, when the service that
 * started it is dead and nobody is connected. Resolves when the folder is free or may become so soon; a process id
 * that it resolves to is in the lock file but not a server's.
 * @throws EmbeddedPostgresError when another service uses the folder, or the server does not answer or stop.
 */
export async function makeWay(folder: string, ownSockets: string, patient: boolean): Promise<number | undefined> {
  const lock = await readLock(folder)
  const holder = lock && (await findHolder(lock.pid))
  if (!lock || !holder) return undefined
  if (!holder.isServer) return lock.pid
  if (patient) return undefined

  const clients = await countClients(folder, lock)
  if (clients === 'not now') return undefined
  if (lock.sockets !== ownSockets && (holder.isSupervised || clients > 0)) {
    throw new EmbeddedPostgresError(
      `Another service is using the database folder ${folder} (its PostgreSQL is process ${lock.pid}): stop that one or choose another folder.`,
    )
  }
  await stopServer(folder, lock)
  if (lock.sockets !== ownSockets) await removeForsaken(lock.sockets)
  return undefined
}

async function countClients(folder: string, lock: Lock): Promise<number | 'not now'> {
  const end = Date.now() + answerMs
  for (;;) {
    try {
      return await ask(lock, end - Date.now())
    } catch (error) {
      const code = codeOf(error) ?? ''
      if (code === '57P03' || !(await findHolder(lock.pid))?.isServer) return 'not now'
      // An error that the server itself sent: it is alive and somebody's, but not ours to look into.
      if (/^[0-9A-Z]{5}$/.test(code)) return 1
    }
    if (Date.now() + retryMs > end) {
      throw new EmbeddedPostgresError(
        `The database folder ${folder} is held by a PostgreSQL that does not answer (process ${lock.pid}): end that process, then start the service again.`,
      )
    }
    await sleep(retryMs)
  }
}

async function ask(lock: Lock, patienceMs: number): Promise<number> {
  const client = new pg.Client({
    host: lock.sockets,
    port: lock.port,
    user: 'app',
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const others = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    return others.rows[0]?.count ?? 0
  } finally {
    // Not awaited: a frozen server never answers it.
    client.end().catch(() => {})
  }
}

async function stopServer(folder: string, { pid }: Lock): Promise<void> {
  for (const [signal, seconds] of [
    ['SIGINT', 10],
    ['SIGQUIT', 5],
  ] as const) {
    tell(pid, signal)
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(20)) {
      if (!(await findHolder(pid))?.isServer) return
    }
  }
  throw new EmbeddedPostgresError(
    `A PostgreSQL that a former start of the service left on the database folder ${folder} does not stop (process ${pid}): end that process, then start the service again.`,
  )
}

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

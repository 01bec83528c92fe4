import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from './tables.ts'

const kinds = ['session', 'user', 'domain'] as const

/** Something that processes remember for a moment and that has changed in the database. */
export interface Change {
  kind: (typeof kinds)[number]
  id: string
}

const channel = 'changes'

/** Tells every process of a change; within a transaction, when it commits. */
export async function announce(db: Database, change: Change): Promise<void> {
  await sql`select pg_notify(${channel}, ${JSON.stringify(change)})`.execute(db)
}

/** Hears of changes until `stop()`. Nobody relies on hearing: what is remembered is also forgotten within a second. */
export interface ChangeListener {
  stop: () => Promise<void>
}

/** Listens on a connection of its own, and connects again with a growing wait when it breaks. */
export function listenForChanges(connection: pg.ClientConfig, heard: (change: Change) => void): ChangeListener {
  let stopped = false
  let client: pg.Client | undefined

  async function listen(listening: () => void): Promise<void> {
    client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000, keepAlive: true })
    const closed = new Promise<void>((resolve) => client?.on('end', resolve))
    client.on('error', () => {})
    client.on('notification', ({ payload = '' }) => {
      const change = changeIn(payload)
      if (change) heard(change)
    })
    await client.connect()
    await client.query(`listen ${channel}`)
    if (stopped) await client.end()
    listening()
    await closed
  }

  async function keepListening(): Promise<void> {
    let wait = 100
    while (!stopped) {
      await listen(() => {
        wait = 100
      }).catch(() => {
        // It may be connected all the same: a server that only reads does not let anybody listen.
        client?.end().catch(() => {})
      })
      if (!stopped) await sleep(wait, undefined, { ref: false })
      wait = Math.min(wait * 2, 5000)
    }
  }

  void keepListening()

  return {
    stop: async () => {
      stopped = true
      await client?.end().catch(() => {})
    },
  }
}

/** Undefined for what no process of this program has said: PostgreSQL lets every account of a database say anything there. */
function changeIn(payload: string): Change | undefined {
  try {
    const { kind, id } = JSON.parse(payload)
    return kinds.includes(kind) && typeof id === 'string' ? { kind, id } : undefined
  } catch {
    return undefined
  }
}

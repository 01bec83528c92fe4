import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'

/** How folders of a test run begin, in the system's temporary folder; the number of the process follows. */
export const temporaryPrefix = 'platform-api-test-'

/** The same server, another database. */
export function inDatabase(connection: pg.ClientConfig, database: string): pg.ClientConfig {
  if (!connection.connectionString) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { ...connection, connectionString: url.href }
}

/** Runs statements one after another on a connection of their own. */
export async function execute(connection: pg.ClientConfig, statements: string[]): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A migrated, empty database that nobody else uses, unless it is made in another way; it is dropped when the run ends. */
export async function freshDatabase(made?: string): Promise<pg.ClientConfig> {
  const { connection, run } = inject('cluster')
  const name = `${run}_${randomUUID()}`
  for (let tries = 1; ; tries++) {
    try {
      await execute(connection, [`create database "${name}" ${made ?? `template "${run}_tpl"`}`])
      return inDatabase(connection, name)
    } catch (error) {
      // Another worker is copying the template at this moment.
      const isBusy = error instanceof pg.DatabaseError && error.code === '55006'
      if (!isBusy || tries === 50) throw error
      await sleep(20 + Math.random() * 80)
    }
  }
}

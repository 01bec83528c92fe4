import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { projectFolder } from '../project-folder.ts'

// Any number, as long as every replica takes the same.
const advisoryLock = 7_205_117

/** A database that this program must not touch. Its message is one plain sentence for the operator. */
export class MigrationError extends Error {}

interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
}

function readMigrations(): Migration[] {
  const folder = new URL('migrations/', projectFolder)
  return readdirSync(folder)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, folder), 'utf8')
      return { version: Number(name.slice(0, 4)), name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/** The schema version that this program needs. */
export const schemaVersion = Math.max(...readMigrations().map(({ version }) => version))

/**
 * Brings the schema up to date, each migration in a transaction of its own; replicas that start together take turns.
 * @throws MigrationError when the schema is newer than this program, a migration was edited after it ran, or the database
 *   is not in UTF-8.
 */
export async function migrate(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await refuseOtherEncodings(client)
    const migrations = readMigrations()
    while (await applyNext(client, migrations)) {}
  } finally {
    await client.end()
  }
}

/** In any other, what clients send cannot be stored, or not be compared. */
async function refuseOtherEncodings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('show server_encoding')
  const encoding = rows[0]?.server_encoding
  if (encoding !== 'UTF8')
    throw new MigrationError(`The database has the encoding ${encoding}: make one that has UTF8.`)
}

/** Applies the first migration that is missing, if any. The lock is the transaction's: a pooler keeps connections open. */
async function applyNext(client: pg.Client, migrations: Migration[]): Promise<boolean> {
  await client.query('begin')
  // The role's limits are made for requests; a migration, or the wait for another replica's, may take long.
  await client.query('set local statement_timeout = 0; set local lock_timeout = 0')
  await client.query('select pg_advisory_xact_lock($1)', [advisoryLock])
  // Behind a migration that waits for a table, those wait who only read it.
  await client.query("set local lock_timeout = '1s'")
  await client.query(`create table if not exists schema_migration (
    version integer primary key, name text not null, checksum text not null, applied timestamptz not null default now())`)
  const { rows } = await client.query<Migration>(
    'select version, name, checksum from schema_migration order by version',
  )
  refuseOtherSchemas(rows, migrations)
  const missing = migrations.find(({ version }) => !rows.some((done) => done.version === version))
  if (missing) {
    const { version, name, sql, checksum } = missing
    await client.query(sql)
    await client.query('insert into schema_migration (version, name, checksum) values ($1, $2, $3)', [
      version,
      name,
      checksum,
    ])
  }
  await client.query('commit')
  return missing !== undefined
}

function refuseOtherSchemas(applied: Migration[], migrations: Migration[]): void {
  for (const done of applied) {
    const known = migrations.find(({ version }) => version === done.version)
    if (!known) {
      throw new MigrationError(
        `The database has schema version ${done.version} (${done.name}), newer than this program's ${schemaVersion}: start a newer program.`,
      )
    }
    if (known.checksum !== done.checksum) {
      throw new MigrationError(`The migration ${known.name} was changed after this database had run it.`)
    }
  }
}

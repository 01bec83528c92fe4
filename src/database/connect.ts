import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import { NamingClient, PatientClient } from './client.ts'
import { isServerThere } from './server-there.ts'
import { limitSilence } from './silence.ts'
import type { Database, Tables } from './tables.ts'
import { types } from './timestamps.ts'

// Together below the three seconds within which a caller is told that the database is away.
const connectTimeoutMs = 1000
const statementTimeoutMs = 1200
const answerTimeoutMs = 1500
// Behind PostgreSQL's own look for circles of waiting transactions, after a second: whoever loses there runs again.
export const lockTimeoutMs = 1100

export interface ConnectOptions {
  poolSize: number
  namedStatements: boolean
  /** Called when an idle connection breaks. */
  onIdleError: (error: Error) => void
}

/** Opens a pool (lazily: no connection is made yet). `destroy()` of the result closes it. */
export function connect(connection: pg.ClientConfig, options: ConnectOptions): Database {
  const pool = new pg.Pool({
    ...connection,
    types,
    Client: options.namedStatements ? NamingClient : PatientClient,
    max: options.poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    // A pooler in transaction mode refuses these start-up parameters; there they belong to the role.
    ...(options.namedStatements && {
      statement_timeout: statementTimeoutMs,
      lock_timeout: lockTimeoutMs,
      // Compiling a plan takes longer than any of them runs.
      options: '-c jit=off',
      pipeline: true,
      idle_in_transaction_session_timeout: 5000,
    }),
  })
  const silent = new Set<pg.ClientBase>()
  pool.on('error', options.onIdleError)
  pool.on('connect', (client) => {
    // The pool tells of idle ones; of others, the statement that they were at. Without a listener the process would end.
    client.on('error', () => {})
    limitSilence(client, {
      ms: answerTimeoutMs,
      isServerThere: () => isServerThere(connection, connectTimeoutMs),
      silent,
      mostSilent: Math.max(1, Math.floor(options.poolSize / 4)),
    })
  })
  const db = databaseOver(pool)
  pools.set(db, pool)
  return db
}

const pools = new WeakMap<Database, pg.Pool>()

/** The pool under what `connect` gave. */
export function poolOf(db: Database): pg.Pool {
  const pool = pools.get(db)
  if (!pool) throw new Error('this is no pool of connections')
  return pool
}

const senders = new WeakMap<Database, pg.Pool | pg.PoolClient>()

/** What sends the statements of a database, of a transaction its one connection, at once and in their order. */
export function senderOf(db: Database): pg.Pool | pg.PoolClient {
  const sender = senders.get(db)
  if (!sender) throw new Error('nothing sends the statements of this database')
  return sender
}

const overClients = new WeakMap<pg.PoolClient, Database>()

/** The database over one connection, which stays with whoever has taken it from the pool. */
export function databaseOn(client: pg.PoolClient): Database {
  const known = overClients.get(client)
  if (known) return known
  const kept = { query: client.query.bind(client), release: () => {} }
  const db = databaseOver({ connect: async () => kept, end: async () => {} } as PostgresPool, client)
  overClients.set(client, db)
  return db
}

function databaseOver(pool: pg.Pool | PostgresPool, sender = pool as pg.Pool | pg.PoolClient): Database {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  senders.set(db, sender)
  return db
}

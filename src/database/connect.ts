import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database, Tables } from './tables.ts'

// Together below the three seconds within which a caller is told that the database is away.
const connectTimeoutMs = 1000
const statementTimeoutMs = 1200
const answerTimeoutMs = 1500

const statementNames = new Map<string, string>()

function statementName(text: string): string {
  let name = statementNames.get(text)
  if (!name) {
    name = createHash('sha1').update(text).digest('base64url').slice(0, 16)
    if (statementNames.size < 1000) statementNames.set(text, name)
  }
  return name
}

type Query = (config: unknown, values?: unknown, callback?: unknown) => Promise<unknown>

/**
 * Destroys a connection whose answer did not come in time: the server may still be at work on it, and whoever got it
 * next would wait as well.
 */
class Client extends pg.Client {
  override query = ((config: unknown, values?: unknown, callback?: unknown) => {
    const answer = (super.query as unknown as Query)(this.prepared(config, values), values, callback)
    return callback || !(answer instanceof Promise) ? answer : answer.catch((error) => this.failed(error))
  }) as pg.Client['query']

  protected prepared(config: unknown, _values: unknown): unknown {
    return config
  }

  private failed(error: Error): never {
    if (error.message === 'Query read timeout') {
      ;(this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    }
    throw error
  }
}

/** Begins a statement whose best plan depends on its values: PostgreSQL plans it anew each time. */
export const plannedForItsValues = '/* planned for its values */'

/** Names each statement by its text, so that PostgreSQL parses and plans it once per connection. */
class NamingClient extends Client {
  protected override prepared(config: unknown, values: unknown): unknown {
    return typeof config === 'string' &&
      Array.isArray(values) &&
      values.length > 0 &&
      !config.startsWith(plannedForItsValues)
      ? { name: statementName(config), text: config, values }
      : config
  }
}

export interface ConnectOptions {
  poolSize: number
  namedStatements: boolean
  /** Called when an idle connection breaks; without a listener the process would end. */
  onIdleError: (error: Error) => void
}

/** Opens a pool (lazily: no connection is made yet). `destroy()` of the result closes it. */
export function connect(connection: pg.ClientConfig, options: ConnectOptions): Database {
  const pool = new pg.Pool({
    ...connection,
    Client: options.namedStatements ? NamingClient : Client,
    max: options.poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
    // A pooler in transaction mode refuses these start-up parameters; there they belong to the role.
    ...(options.namedStatements && {
      statement_timeout: statementTimeoutMs,
      lock_timeout: 1000,
      // Compiling a plan takes longer than any of them runs.
      options: '-c jit=off',
      idle_in_transaction_session_timeout: 5000,
    }),
  })
  pool.on('error', options.onIdleError)
  pool.on('connect', (client) => client.on('error', options.onIdleError))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return db
}

const pools = new WeakMap<Database, pg.Pool>()

/** The pool under a database; undefined for a transaction, which has one connection. */
export function poolOf(db: Database): pg.Pool | undefined {
  return pools.get(db)
}

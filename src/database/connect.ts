import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database, Tables } from './tables.ts'
import { types } from './timestamps.ts'

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

/** Begins a statement whose best plan depends on its values: PostgreSQL plans it anew each time. */
export const plannedForItsValues = '/* planned for its values */'

type Query = (config: unknown, values?: unknown, callback?: unknown) => Promise<unknown>

/**
 * Names each statement by its text, so that PostgreSQL parses and plans it once per connection. What is sent before the
 * process waits for anything leaves in one write, and nobody waits for the answer to `begin`.
 */
class NamingClient extends pg.Client {
  private begun: Promise<unknown> | undefined

  override query = ((config: unknown, values?: unknown, callback?: unknown) => {
    const { stream } = driverOf(this).connection
    stream.cork()
    process.nextTick(() => stream.uncork())
    const send: Query = (...words) => (super.query as unknown as Query)(...words)
    if (config === 'begin') {
      this.begun = awaitedLater(send('begin'))
      return Promise.resolve({ command: 'BEGIN', rows: [] })
    }
    const answer = send(named(config, values), values, callback)
    const { begun } = this
    if (!begun) return answer
    this.begun = undefined
    return Promise.all([begun, answer]).then(([, result]) => result)
  }) as pg.Client['query']
}

/** A promise that may fail before somebody waits for it. */
export function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

function named(config: unknown, values: unknown): unknown {
  return typeof config === 'string' &&
    Array.isArray(values) &&
    values.length > 0 &&
    !config.startsWith(plannedForItsValues)
    ? { name: statementName(config), text: config, values }
    : config
}

function driverOf(client: pg.ClientBase) {
  return client as unknown as { connection: { stream: Socket }; readyForQuery: boolean }
}

/**
 * Breaks a connection on which an answer is awaited and nothing comes: the server may still be at work on it, and
 * whoever got it next would wait as well. One timer per connection; the driver's own would be one per statement.
 */
function limitSilence(client: pg.ClientBase): void {
  const driver = driverOf(client)
  const { stream } = driver.connection
  stream.setTimeout(answerTimeoutMs, () => {
    if (!driver.readyForQuery) stream.destroy(new Error('Query read timeout'))
  })
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
    types,
    Client: options.namedStatements ? NamingClient : pg.Client,
    max: options.poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    // A pooler in transaction mode refuses these start-up parameters; there they belong to the role.
    ...(options.namedStatements && {
      statement_timeout: statementTimeoutMs,
      lock_timeout: 1000,
      // Compiling a plan takes longer than any of them runs.
      options: '-c jit=off',
      pipeline: true,
      idle_in_transaction_session_timeout: 5000,
    }),
  })
  pool.on('error', options.onIdleError)
  pool.on('connect', (client) => {
    client.on('error', options.onIdleError)
    limitSilence(client)
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return db
}

const pools = new WeakMap<Database, pg.Pool>()

/** The pool under a database; undefined for a transaction, which has one connection. */
export function poolOf(db: Database): pg.Pool | undefined {
  return pools.get(db)
}

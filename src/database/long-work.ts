import { sql } from 'kysely'
import type pg from 'pg'
import { lockTimeoutMs, senderOf } from './connect.ts'
import { preparedSql } from './prepared.ts'
import { allowSilence } from './silence.ts'
import type { Transaction } from './tables.ts'
import { ahead } from './transaction.ts'

const mostMs = 600_000

// What waits for a lock does not work; behind a pooler no connection has a limit of its own for that. Whoever gives up is
// not worked for any longer: PostgreSQL would else notice at the end only, and keep everything locked.
const setLimits = preparedSql<object, unknown>(
  () => sql`select set_config('statement_timeout', ${sql.lit(String(mostMs))}, true),
    set_config('lock_timeout', ${sql.lit(String(lockTimeoutMs))}, true),
    set_config('client_connection_check_interval', '1000', true)`,
)

/**
 * Lets the statements of a transaction from here on take long, because nobody knows how many rows they are about. Whoever
 * waits for what they have locked is asked to try again, and their caller hears within three seconds when the server is away.
 */
export function allowLongWork(trx: Transaction): void {
  ahead(trx, setLimits(trx, {}))
  allowSilence(senderOf(trx) as pg.PoolClient, mostMs)
}

import { setTimeout as sleep } from 'node:timers/promises'
import { awaitedLater } from './connect.ts'
import { isRetryable } from './errors.ts'
import type { Database } from './tables.ts'

const attempts = 4

const unanswered = new WeakMap<Database, Promise<unknown>[]>()

/** Runs `work` in one transaction; again, up to three times, when PostgreSQL says that it lost a race. */
export async function inTransaction<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(db, work)
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error
      await sleep(Math.random() * 20 * attempt)
    }
  }
}

async function runOnce<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  const sent: Promise<unknown>[] = []
  try {
    return await db.transaction().execute((trx) => {
      unanswered.set(trx, sent)
      return work(trx)
    })
  } finally {
    // Their errors come first: what was sent behind them failed because of them, and a commit became a rollback.
    await Promise.all(sent)
  }
}

/**
 * Lets a transaction go on without the answer to a statement that it has sent, which then costs no wait of its own: what is
 * sent next, such as `commit`, leaves with it. If it fails, so does the transaction, with its error.
 */
export function unawaited(trx: Database, statement: Promise<unknown>): void {
  const sent = unanswered.get(trx)
  if (!sent) throw new Error('no transaction waits for this statement')
  sent.push(awaitedLater(statement))
}

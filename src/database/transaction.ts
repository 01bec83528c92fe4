import { setTimeout as sleep } from 'node:timers/promises'
import { isRetryable } from './errors.ts'
import type { Database } from './tables.ts'

const attempts = 4

/** Runs `work` in one transaction; again, up to three times, when PostgreSQL says that it lost a race. */
export async function inTransaction<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error
      await sleep(Math.random() * 20 * attempt)
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { databaseOn, poolOf } from './connect.ts'
import { isAborted, isRetryable } from './errors.ts'
import { forbidSilence } from './silence.ts'
import type { Database, Transaction } from './tables.ts'

const attempts = 4

/** The statements that each transaction has sent ahead. */
const sentAhead = new WeakMap<Transaction, Promise<unknown>[]>()

/** Runs `work` in one transaction; again, up to three times, when PostgreSQL says that it lost a race. */
export async function inTransaction<T>(db: Database, work: (trx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(db, work)
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error
      await sleep(Math.random() * 20 * attempt)
    }
  }
}

async function runOnce<T>(db: Database, work: (trx: Transaction) => Promise<T>): Promise<T> {
  const client = await poolOf(db).connect()
  const trx = databaseOn(client) as Transaction
  const sent: Promise<unknown>[] = []
  sentAhead.set(trx, sent)
  try {
    ahead(trx, client.query('begin'))
    const result = await work(trx).catch(async (error) => {
      await client.query('rollback').catch(() => {})
      throw isAborted(error) ? ((await firstError(sent)) ?? error) : error
    })
    const commit = client.query('commit')
    const failure = await firstError([...sent, commit])
    if (failure) throw failure
    if ((await commit).command !== 'COMMIT') throw new Error('the transaction was rolled back')
    return result
  } finally {
    forbidSilence(client)
    client.release()
  }
}

async function firstError(statements: readonly Promise<unknown>[]): Promise<unknown> {
  const answers = await Promise.allSettled(statements)
  return answers.find((answer) => answer.status === 'rejected')?.reason
}

/**
 * Lets a transaction send what follows without the answer to this statement, which has to be a prepared one. If it fails, so
 * does the transaction, with its error; nobody need wait for it.
 */
export function ahead<T>(trx: Transaction, statement: Promise<T>): Promise<T> {
  const sent = sentAhead.get(trx)
  if (!sent) throw new Error('no transaction waits for this statement')
  // It may fail before anybody waits for it.
  statement.catch(() => {})
  sent.push(statement)
  return statement
}

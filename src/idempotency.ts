import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { signedInCaller } from './access/caller.ts'
import type { KeyRing } from './access/keys.ts'
import type { Transaction } from './database/tables.ts'
import { Malformed, ReusedKey } from './fault.ts'
import type { Trait } from './traits.ts'

/** Runs work within a transaction, or gives the JSON that it gave before to the same request. */
export type Once = (trx: Transaction, work: () => Promise<string>) => Promise<string>

/** An operation that calls `once`. */
export const repeatable: Trait = {
  requestHeaders: {
    'Idempotency-Key':
      'Any text of 1 to 255 visible ASCII characters: repeated with it within a day, the same request happens once.',
  },
  statuses: { 422: 'The Idempotency-Key came with another request before.' },
}

const purpose = 'idempotency'

/**
 * Makes a request that carries an Idempotency-Key happen once, however often it is sent within a day: the key and the
 * answer are stored by the transaction that does the work. Of requests with one key that come at once, the others wait.
 * @throws Malformed for a key that is none; when run, ReusedKey when the key came with another request before.
 */
export function once(request: FastifyRequest, keys: KeyRing): Once {
  const key = request.headers['idempotency-key']
  if (key === undefined) return (_trx, work) => work()
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Malformed('Idempotency-Key must be 1 to 255 visible ASCII characters.')
  }
  const { userId } = signedInCaller(request)
  const path = request.url.split('?', 1)[0]
  // Signed, because a body may hold a password.
  const sent = `${request.method} ${path}\n${JSON.stringify(request.body)}`

  return async (trx, work) => {
    const fingerprint = keys.sign(purpose, sent)
    if (!(await claim(trx, userId, key, fingerprint))) {
      const before = await trx
        .selectFrom('idempotency_key')
        .where('user_id', '=', userId)
        .where('key', '=', key)
        .select(['fingerprint', 'answer'])
        .executeTakeFirstOrThrow()
      if (!keys.verify(purpose, sent, before.fingerprint)) {
        throw new ReusedKey('This Idempotency-Key came with another request before.')
      }
      return before.answer as string
    }
    const answer = await work()
    await trx
      .updateTable('idempotency_key')
      .set({ answer })
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .execute()
    return answer
  }
}

/** Waits for another transaction that has the key; true when the key is now this transaction's: a new one, or an old one. */
async function claim(trx: Transaction, userId: string, key: string, fingerprint: string): Promise<boolean> {
  const claimed = await trx
    .insertInto('idempotency_key')
    .values({ user_id: userId, key, fingerprint, answer: null })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'key'])
        .doUpdateSet({ fingerprint, answer: null, created: sql`now()` })
        .where(isOld('idempotency_key.created')),
    )
    .executeTakeFirst()
  if ((claimed.numInsertedOrUpdatedRows ?? 0n) === 0n) return false
  // Each claim removes a few old ones, so that the table stays small without a timer; behind it, so that two claims never
  // wait for what the other removes.
  await sql`delete from idempotency_key where (user_id, key) in (
    select user_id, key from idempotency_key where ${isOld('created')} limit 10
    for update skip locked)`.execute(trx)
  return true
}

function isOld(column: string) {
  return sql<boolean>`${sql.ref(column)} < now() - interval '1 day'`
}

import { sql } from 'kysely'
import { type Caller, notEntitled } from '../access/caller.ts'
import { mayReadNow } from '../access/entitlement.ts'
import type { Transaction } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { storedId } from '../ids.ts'
import type { Services } from '../services.ts'
import { missingVersion } from './owning-api.ts'
import { notReadable } from './store.ts'

/**
 * Gives a version the caller's rating, in place of an earlier one; null takes it away. The database counts it.
 * @throws NotFound, Unauthorized
 */
export async function rate(
  { db, vendor }: Services,
  caller: Caller,
  versionId: string,
  userId: string,
  rating: number | null,
): Promise<void> {
  if (storedId(vendor, userId, 'user') !== caller.userId) throw notEntitled(caller, 'this is for the user themself')
  const id = storedId(vendor, versionId, 'version')
  await inTransaction(db, async (trx) => {
    await lockReadable(trx, caller, id, versionId)
    if (rating === null) await deleteRating(trx, caller, id)
    else await putRating(trx, caller, id, rating)
  })
}

/** Locks a version that the caller may read: it is not removed, and nobody else rates it, until the transaction ends. */
async function lockReadable(trx: Transaction, caller: Caller, id: string, givenId: string): Promise<void> {
  const version = await trx
    .selectFrom('api_version as v')
    .where('v.id', '=', id)
    .select(mayReadNow(caller, 'v.audience', 'v.admin_group_id').as('readable'))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!version) throw await missingVersion(trx, id, givenId)
  if (!version.readable) throw notReadable(caller)
}

async function putRating(trx: Transaction, { userId }: Caller, id: string, rating: number): Promise<void> {
  await trx
    .insertInto('version_rating')
    .values({ version_id: id, user_id: userId, rating })
    .onConflict((conflict) =>
      conflict
        .columns(['version_id', 'user_id'])
        .doUpdateSet({ rating })
        .where('version_rating.rating', '<>', sql.val(rating)),
    )
    .execute()
}

async function deleteRating(trx: Transaction, { userId }: Caller, id: string): Promise<void> {
  await trx.deleteFrom('version_rating').where('version_id', '=', id).where('user_id', '=', userId).execute()
}

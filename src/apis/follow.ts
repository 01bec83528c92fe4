import { type RawBuilder, sql } from 'kysely'
import { type Caller, notEntitled, type Reader } from '../access/caller.ts'
import { mayReadNow } from '../access/entitlement.ts'
import { missingApi } from '../api-versions/owning-api.ts'
import type { Transaction } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { storedId } from '../ids.ts'
import type { Services } from '../services.ts'

/** SQL: whether somebody follows the row `a` of api. */
export function isFollowedBy({ userId }: Pick<Reader, 'userId'>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from api_follower f where f.api_id = a.id and f.user_id = ${userId}::uuid)`
}

/**
 * Makes the caller a follower of an API, once however often.
 * @throws NotFound, Unauthorized
 */
export function follow(services: Services, caller: Caller, apiId: string): Promise<void> {
  return withReadable(services, caller, apiId, async (trx, follower) => {
    await trx
      .insertInto('api_follower')
      .values(follower)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

/**
 * Makes the caller no follower of an API.
 * @throws NotFound, Unauthorized
 */
export function unfollow(services: Services, caller: Caller, apiId: string): Promise<void> {
  return withReadable(services, caller, apiId, async (trx, { api_id, user_id }) => {
    await trx.deleteFrom('api_follower').where('api_id', '=', api_id).where('user_id', '=', user_id).execute()
  })
}

/** Does something while an API that the caller may read cannot be removed; those who change it do not wait. */
async function withReadable(
  { db, vendor }: Services,
  caller: Caller,
  apiId: string,
  work: (trx: Transaction, follower: { api_id: string; user_id: string }) => Promise<void>,
): Promise<void> {
  const id = storedId(vendor, apiId, 'API')
  await inTransaction(db, async (trx) => {
    const api = await trx
      .selectFrom('api as a')
      .where('a.id', '=', id)
      .select(mayReadNow(caller, 'a.visibility', 'a.admin_group_id').as('readable'))
      .forKeyShare()
      .executeTakeFirst()
    if (!api) throw await missingApi(trx, id, apiId)
    if (!api.readable) throw notEntitled(caller, 'this needs Read permission on the API')
    await work(trx, { api_id: id, user_id: caller.userId })
  })
}

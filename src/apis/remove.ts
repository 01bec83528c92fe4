import { type RawBuilder, sql } from 'kysely'
import { type Caller, readerOf } from '../access/caller.ts'
import { lockKnownVersion } from '../api-versions/lock-version.ts'
import { lockApiOfVersion, notModifiable } from '../api-versions/owning-api.ts'
import { deleteVersion } from '../api-versions/store.ts'
import { allowLongWork } from '../database/long-work.ts'
import type { Transaction } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { storedId } from '../ids.ts'
import type { Precondition } from '../representation/etag.ts'
import type { Services } from '../services.ts'
import { changeApi } from './change-api.ts'
import { deleteApi, newestVersionId, pointToLatest } from './store.ts'

/**
 * Removes an API with all of its versions.
 * @throws NotFound, Unauthorized, PreconditionFailed
 */
export async function removeApi(
  { db, vendor }: Services,
  caller: Caller,
  apiId: string,
  precondition: Precondition,
): Promise<void> {
  const id = storedId(vendor, apiId, 'API')
  await inTransaction(db, async (trx) => {
    await lockAdminGroup(trx, caller, sql`${id}::uuid`)
    const api = await changeApi(trx, caller, id, {}, () => notModifiable(trx, caller, id, apiId))
    precondition(api.revision - 1)
    // With whatever was counted of readers and said by users.
    allowLongWork(trx)
    await deleteApi(trx, id, api.admin_group_id)
  })
}

/**
 * Removes a version. The newest of the others becomes the latest; with the last version its API goes.
 * @throws NotFound, Unauthorized, PreconditionFailed
 */
export async function removeVersion(
  { db, vendor }: Services,
  caller: Caller,
  versionId: string,
  precondition: Precondition,
): Promise<void> {
  const id = storedId(vendor, versionId, 'version')
  await inTransaction(db, async (trx) => {
    await lockAdminGroup(
      trx,
      caller,
      sql`(select v.api_id from api_version v where v.id = ${id} and not exists (
        select from api_version other where other.api_id = v.api_id and other.id <> v.id))`,
    )
    const api = await lockApiOfVersion(trx, caller, id, versionId)
    await lockKnownVersion(trx, api.id, id, versionId, precondition)
    allowLongWork(trx)
    await deleteVersion(trx, id)
    const newest = await newestVersionId(trx, api.id)
    if (!newest) await deleteApi(trx, api.id, api.adminGroupId)
    else if (api.latestVersionId === id) await pointToLatest(trx, api.id, newest)
  })
}

/**
 * Locks the admin group of an API and its memberships, which go with it, unless the caller has no right to it. It comes
 * before the API: whoever changes that waits for its row with their membership locked.
 */
async function lockAdminGroup(trx: Transaction, caller: Caller, apiId: RawBuilder<unknown>): Promise<void> {
  const { visible, userId } = readerOf(caller)
  // NO KEY: a transaction that changes the API twice looks up the group, as its foreign key wants.
  await sql`
    select from api a join admin_group g on g.id = a.admin_group_id join group_member m on m.group_id = g.id
    where a.id = ${apiId} and (${visible.includes('Limited')} or exists (
      select from group_member own where own.group_id = g.id and own.user_id = ${userId}))
    order by m.user_id for no key update of g for update of m`.execute(trx)
}

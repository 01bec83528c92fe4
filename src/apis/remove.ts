import type { Caller } from '../access/caller.ts'
import { lockKnownVersion } from '../api-versions/lock-version.ts'
import { lockApiOfVersion } from '../api-versions/owning-api.ts'
import { deleteVersion } from '../api-versions/store.ts'
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
    const api = await changeApi(trx, caller, id, apiId, {})
    precondition(api.revision - 1)
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
    const api = await lockApiOfVersion(trx, caller, id, versionId)
    await lockKnownVersion(trx, api.id, id, versionId, precondition)
    await deleteVersion(trx, id)
    const newest = await newestVersionId(trx, api.id)
    if (!newest) await deleteApi(trx, api.id, api.adminGroupId)
    else if (api.latestVersionId === id) await pointToLatest(trx, api.id, newest)
  })
}

import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { inTransaction } from '../database/transaction.ts'
import { storedId } from '../ids.ts'
import type { Precondition } from '../representation/etag.ts'
import type { Services } from '../services.ts'
import { replaceVersion } from './change-version.ts'
import { lockKnownVersion } from './lock-version.ts'
import { lockApiOfVersion } from './owning-api.ts'
import type { VersionBody } from './schemas.ts'

/**
 * Replaces a version by the one in the body.
 * @returns the version's new JSON
 * @throws NotFound, Unauthorized, Malformed, PreconditionFailed
 */
export async function putVersion(
  { db, vendor }: Services,
  caller: Caller,
  versionId: string,
  body: Static<typeof VersionBody>,
  precondition: Precondition,
): Promise<string> {
  const id = storedId(vendor, versionId, 'version')
  return inTransaction(db, async (trx) => {
    const api = await lockApiOfVersion(trx, caller, id, versionId)
    const version = await lockKnownVersion(trx, api.id, id, versionId, precondition)
    return replaceVersion({ db, trx, caller, api, vendor }, version, body)
  })
}

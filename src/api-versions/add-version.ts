import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Once } from '../idempotency.ts'
import { storedId } from '../ids.ts'
import type { Precondition } from '../representation/etag.ts'
import type { Services } from '../services.ts'
import { draftVersion, storeVersion } from './new-version.ts'
import { lockApiForNewVersion } from './owning-api.ts'
import type { VersionBody } from './schemas.ts'

/**
 * Adds a version to an API and makes it the latest. The API is the one of the path, whatever APIID the body has.
 * @returns the version's JSON
 * @throws NotFound, Unauthorized, Malformed, PreconditionFailed, ReusedKey
 */
export async function addVersion(
  { db, vendor }: Services,
  caller: Caller,
  apiId: string,
  body: Static<typeof VersionBody>,
  precondition: Precondition,
  once: Once,
): Promise<string> {
  const id = storedId(vendor, apiId, 'API')
  const draft = draftVersion(body, vendor, '')
  return inTransaction(db, (trx) =>
    once(trx, async () => {
      const api = await lockApiForNewVersion(trx, caller, id, apiId, draft.id, precondition)
      return storeVersion(trx, caller, draft, api, vendor)
    }),
  )
}

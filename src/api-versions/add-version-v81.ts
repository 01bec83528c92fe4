import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { inTransaction } from '../database/transaction.ts'
import { findFile, keepOriginal } from '../dropbox/store.ts'
import { invalidMember } from '../fault.ts'
import type { Once } from '../idempotency.ts'
import { storedId } from '../ids.ts'
import type { Precondition } from '../representation/etag.ts'
import type { Services } from '../services.ts'
import { clonedMembers } from './clone.ts'
import { draftVersion, storeVersion } from './new-version.ts'
import type { AddAPIVersionRequest } from './newer-schemas.ts'
import { lockApiForNewVersion } from './owning-api.ts'

/**
 * Adds a version from scratch, from another version or from a file, and makes it the latest of its API. What the request
 * says of it counts more than what it is made from.
 * @returns the version's JSON
 * @throws NotFound, Unauthorized, Malformed, PreconditionFailed, ReusedKey
 */
export async function addVersionV81(
  { db, vendor }: Services,
  caller: Caller,
  apiId: string,
  body: Static<typeof AddAPIVersionRequest>,
  precondition: Precondition,
  once: Once,
): Promise<string> {
  const id = storedId(vendor, apiId, 'API')
  const { APIVersionInfo: info, CloneAPIVersionRequest: clone, DLDescriptor: descriptor } = body
  if (clone && descriptor) throw invalidMember('/DLDescriptor', 'cannot stand beside a CloneAPIVersionRequest')
  const draft = draftVersion(info, vendor, '/APIVersionInfo')
  return inTransaction(db, (trx) =>
    once(trx, async () => {
      const api = await lockApiForNewVersion(trx, caller, id, apiId, draft.id, precondition)
      const file = descriptor && (await findFile(trx, caller, descriptor))
      const members = file?.version ?? (clone && (await clonedMembers(trx, caller, clone, vendor)))
      const added = storeVersion(trx, caller, { ...draft, body: { ...members, ...info } }, api, vendor)
      if (file) await keepOriginal(trx, draft.id, file.id)
      return added
    }),
  )
}

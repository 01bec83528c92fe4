import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { draftVersion, storeVersion } from '../api-versions/new-version.ts'
import { inTransaction } from '../database/transaction.ts'
import { givePicture } from '../dropbox/pictures.ts'
import type { Once } from '../idempotency.ts'
import type { Services } from '../services.ts'
import { storedVisibility } from '../visibility.ts'
import { storedPictureId } from './picture-id.ts'
import type { APIBody } from './schemas.ts'
import { insertApi, owningApi } from './store.ts'
import { apiDocument } from './wire.ts'

/**
 * Adds an API with its first version; the caller becomes its first API Admin. `address` is the one that clients use.
 * @returns the API's JSON
 * @throws Unauthorized, Malformed, ReusedKey
 */
export async function addApi(
  { db, vendor, config }: Services,
  caller: Caller,
  body: Static<typeof APIBody>,
  once: Once,
  address: string,
): Promise<string> {
  const draft = draftVersion(body.APIVersion, vendor, '/APIVersion')
  const api = {
    name: body.Name,
    description: body.Description ?? null,
    visibility: body.Visibility === undefined ? 'Limited' : storedVisibility(vendor, body.Visibility, '/Visibility'),
    tags: body.Tag ?? [],
    picture_id: storedPictureId(vendor, body.PictureID) ?? null,
    latest_version_id: draft.id,
  } as const
  return inTransaction(db, (trx) =>
    once(trx, async () => {
      const added = await insertApi(trx, caller, api, config.anyUserMayAddApis)
      if (api.picture_id !== null) await givePicture(trx, caller, added.id, api.picture_id)
      const version = storeVersion(trx, caller, draft, owningApi(added), vendor)
      return apiDocument({ ...added, version }, vendor, address)
    }),
  )
}

import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { changeVersion, lockAimedVersion } from '../api-versions/change-version.ts'
import { draftVersion, storeVersion } from '../api-versions/new-version.ts'
import type { VersionChange } from '../api-versions/schemas.ts'
import type { Database } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { givePicture } from '../dropbox/pictures.ts'
import { storedId } from '../ids.ts'
import type { Precondition } from '../representation/etag.ts'
import type { Services } from '../services.ts'
import type { Vendor } from '../vendor.ts'
import { storedVisibility } from '../visibility.ts'
import { changeApi } from './change-api.ts'
import { storedPictureId } from './picture-id.ts'
import type { API, APIChange } from './schemas.ts'
import { type ApiRow, owningApi, pointToLatest } from './store.ts'
import { wireApi } from './wire.ts'

export interface UpdatedApi {
  api: Static<typeof API>
  /** Whether the nested version was added. */
  added: boolean
}

/**
 * Changes an API, and with it one of its versions, or adds a version: all or nothing. `address` is the
 * one that clients use.
 * @returns the API with the version that was meant, which is the latest when the body names none.
 * @throws NotFound, Unauthorized, Malformed, PreconditionFailed
 */
export async function updateApi(
  { db, vendor }: Services,
  caller: Caller,
  apiId: string,
  body: Static<typeof APIChange>,
  precondition: Precondition,
  address: string,
): Promise<UpdatedApi> {
  const id = storedId(vendor, apiId, '[api]')
  const { Name, Description, Visibility, Tag, PictureID } = body
  const members = {
    name: Name,
    description: Description,
    visibility: Visibility === undefined ? undefined : storedVisibility(vendor, Visibility, '/Visibility'),
    tags: Tag,
    pictureId: storedPictureId(vendor, PictureID),
  }
  return inTransaction(db, async (trx) => {
    const api = await changeApi(trx, caller, id, apiId, members)
    precondition(api.revision - 1)
    if (members.pictureId !== undefined) await givePicture(trx, caller, id, members.pictureId)
    const { version, latestVersionId } = await changeOrAddVersion(trx, caller, api, body.APIVersion ?? {}, vendor)
    const added = latestVersionId !== api.latest_version_id
    if (added) await pointToLatest(trx, id, latestVersionId)
    return { api: wireApi({ ...api, latest_version_id: latestVersionId, version }, vendor, address), added }
  })
}

async function changeOrAddVersion(
  trx: Database,
  caller: Caller,
  row: ApiRow,
  change: Static<typeof VersionChange>,
  vendor: Vendor,
) {
  const api = owningApi(row)
  const { latestVersionId } = api
  const aimed = await lockAimedVersion(trx, api, change, vendor)
  if (aimed) {
    const changesNothing = Object.keys(change).length === 0
    const version = changesNothing
      ? aimed.doc
      : await changeVersion(trx, caller, aimed, change, api, vendor, '/APIVersion')
    return { version, latestVersionId }
  }
  const draft = draftVersion({ ...change, Name: change.Name as string }, vendor, '/APIVersion')
  return { version: await storeVersion(trx, caller, draft, api, vendor), latestVersionId: draft.id }
}

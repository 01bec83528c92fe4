import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { type Changing, changeVersion, type Pointers } from '../api-versions/change-version.ts'
import { type LockedVersion, lockAimedVersion } from '../api-versions/lock-version.ts'
import { draftVersion, storeVersion } from '../api-versions/new-version.ts'
import { missingVersion, notModifiable } from '../api-versions/owning-api.ts'
import type { VersionChange } from '../api-versions/schemas.ts'
import type { Transaction } from '../database/tables.ts'
import { ahead, inTransaction } from '../database/transaction.ts'
import { givePicture } from '../dropbox/pictures.ts'
import { storedId } from '../ids.ts'
import type { Precondition } from '../representation/etag.ts'
import type { Services } from '../services.ts'
import type { Vendor } from '../vendor.ts'
import { storedVisibility } from '../visibility.ts'
import { changeApi, propagateToVersions } from './change-api.ts'
import { storedPictureId } from './picture-id.ts'
import type { APIChange } from './schemas.ts'
import { owningApi, pointToLatest } from './store.ts'
import { apiDocument } from './wire.ts'

const pointers: Pointers = { version: '/APIVersion', name: '/APIVersion/Name' }

export interface UpdatedApi {
  /** The API's JSON, with the version that was meant, which is the latest when the body names none. */
  document: string
  /** The stored id of that version. */
  versionId: string
  /** Whether the nested version was added. */
  added: boolean
}

/**
 * Changes an API, and with it one of its versions, or adds a version: all or nothing. `address` is the
 * one that clients use.
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
  const id = storedId(vendor, apiId, 'API')
  const { Name, Description, Visibility, Tag, PictureID } = body
  const members = {
    name: Name,
    description: Description,
    tags: Tag,
    pictureId: storedPictureId(vendor, PictureID),
  }
  const visibility = Visibility === undefined ? undefined : storedVisibility(vendor, Visibility, '/Visibility')
  const change = body.APIVersion ?? {}
  // Here already, as it would else be refused behind the long work.
  if (change.Visibility !== undefined) storedVisibility(vendor, change.Visibility, `${pointers.version}/Visibility`)
  return inTransaction(db, async (trx) => {
    const changed = changeApi(trx, caller, id, members, () => notModifiable(trx, caller, id, apiId))
    const aimed = ahead(trx, lockAimedVersion(trx, id, change, vendor))
    const api = await changed
    precondition(api.revision - 1)
    if (members.pictureId !== undefined) await givePicture(trx, caller, id, members.pictureId)
    const known = await aimed
    if (!known && change.APIVersionID !== undefined) throw await notOfThisApi(trx, change.APIVersionID, vendor)
    await propagateToVersions(trx, api, visibility)
    const changing = { db, trx, caller, api: owningApi(api), vendor }
    const { version, versionId, added } = await changeOrAddVersion(changing, known, change)
    if (added) await pointToLatest(trx, id, versionId)
    const latest = added ? versionId : api.latest_version_id
    const written = Object.assign(api, { latest_version_id: latest, version })
    return { document: apiDocument(written, vendor, address), versionId, added }
  })
}

async function changeOrAddVersion(
  changing: Changing,
  aimed: LockedVersion | undefined,
  change: Static<typeof VersionChange>,
) {
  if (aimed) {
    const changesNothing = Object.keys(change).length === 0
    const version = changesNothing ? aimed.doc : await changeVersion(changing, aimed, change, pointers)
    return { version, versionId: aimed.id, added: false }
  }
  const { trx, caller, api, vendor } = changing
  const draft = draftVersion({ ...change, Name: change.Name as string }, vendor, pointers.version)
  return { version: storeVersion(trx, caller, draft, api, vendor), versionId: draft.id, added: true }
}

function notOfThisApi(trx: Transaction, givenId: string, vendor: Vendor): Promise<Error> {
  const kind = 'version of this API'
  const pointer = `${pointers.version}/APIVersionID`
  return missingVersion(trx, storedId(vendor, givenId, kind, pointer), givenId, kind, pointer)
}

import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { allowLongWork } from '../database/long-work.ts'
import type { Database, Transaction } from '../database/tables.ts'
import type { Vendor } from '../vendor.ts'
import { storedVisibility, wireVisibility } from '../visibility.ts'
import { versionDocument } from './document.ts'
import type { LockedVersion } from './lock-version.ts'
import type { OwningApi } from './owning-api.ts'
import type { APIVersion, VersionBody, VersionChange, VersionDocument } from './schemas.ts'
import { versionVector } from './search-text.ts'
import { refusedContent, refusedState } from './state-refusals.ts'
import { updateVersion } from './store.ts'

/** Who changes a version, in which transaction over `db` and of which API, which it has locked. */
export interface Changing {
  db: Database
  trx: Transaction
  caller: Caller
  api: OwningApi
  vendor: Vendor
}

/** Where the request's body says what the version and its name are to be. */
export interface Pointers {
  version: string
  name: string
}

const wholeBody: Pointers = { version: '', name: '/Name' }

/**
 * Changes a locked version: members that are present replace theirs whole, absent ones keep their value.
 * @returns the version's new JSON
 * @throws Malformed
 */
export async function changeVersion(
  changing: Changing,
  version: LockedVersion,
  change: Static<typeof VersionChange>,
  pointers: Pointers,
): Promise<string> {
  const before: Static<typeof APIVersion> = JSON.parse(version.doc)
  return writeVersion(changing, version, { ...before, ...change }, pointers)
}

/**
 * Puts another version in place of a locked one: absent members are as in a new version, but its visibility and state stay.
 * @returns the version's new JSON
 * @throws Malformed
 */
export async function replaceVersion(
  changing: Changing,
  version: LockedVersion,
  body: Static<typeof VersionBody>,
): Promise<string> {
  const { Visibility, State }: Static<typeof APIVersion> = JSON.parse(version.doc)
  const whole = { ...body, Visibility: body.Visibility ?? Visibility, State: body.State ?? State }
  return writeVersion(changing, version, whole, wholeBody)
}

type Whole = Static<typeof VersionBody> & { Visibility: string; State: string }

async function writeVersion(
  { db, trx, caller: { userId }, api, vendor }: Changing,
  version: LockedVersion,
  body: Whole,
  pointers: Pointers,
): Promise<string> {
  if (body.State !== version.state) {
    throw await refusedState(db, trx, version.state, body.State, vendor, pointers.version)
  }
  const visibility = storedVisibility(vendor, body.Visibility, `${pointers.version}/Visibility`)
  const facts = {
    id: version.id,
    apiId: api.id,
    apiName: api.name,
    visibility: wireVisibility(vendor, visibility),
    state: version.state,
    created: version.created,
    updated: api.now,
    ratings: version.ratings,
  }
  const document = versionDocument(body, facts, vendor)
  if (!version.changeable) {
    if (contentOf(document) === contentOf(JSON.parse(version.doc))) return version.doc
    throw refusedContent(version.state)
  }
  const doc = JSON.stringify(document)
  const vector = versionVector(document)
  const columns = { name: body.Name, visibility, updated: api.now, doc, vector }
  // The database copies it to every version that this one succeeds.
  if (visibility !== version.visibility) allowLongWork(trx)
  updateVersion(trx, { id: version.id, userId, before: version, ...columns }, pointers.name)
  return doc
}

/** What people say of a version; the service says the rest. */
function contentOf(document: VersionDocument): string {
  return JSON.stringify(document, (member, value) =>
    member === 'Updated' || member === 'InterfaceQName' || member === 'RatingSummary' ? undefined : value,
  )
}

import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import type { Database, StoredVisibility } from '../database/tables.ts'
import { invalidMember } from '../fault.ts'
import { newId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import { storedVisibility, wireVisibility } from '../visibility.ts'
import { versionDocument } from './document.ts'
import type { OwningApi } from './owning-api.ts'
import { noRatings } from './ratings.ts'
import type { VersionBody } from './schemas.ts'
import { versionVector } from './search-text.ts'
import { insertVersion } from './store.ts'

/** A version before it is stored; checked as far as the API need not be known. */
export interface VersionDraft {
  id: string
  body: Static<typeof VersionBody>
  visibility: StoredVisibility | undefined
  state: string
  /** Leads to the version in the request's body. */
  pointer: string
}

/** @throws Malformed for a Visibility or State that is none of the known ones. */
export function draftVersion(body: Static<typeof VersionBody>, vendor: Vendor, pointer: string): VersionDraft {
  const state = body.State ?? vendor.openState
  checkState(state, vendor, pointer)
  const { Visibility } = body
  const visibility =
    Visibility === undefined ? undefined : storedVisibility(vendor, Visibility, `${pointer}/Visibility`)
  return { id: newId(), body, visibility, state, pointer }
}

/** @throws Malformed for a State that is none of the known ones; `pointer` leads to the version in the body. */
export function checkState(state: string, vendor: Vendor, pointer: string): void {
  if (state !== vendor.openState) throw invalidMember(`${pointer}/State`, `must be ${vendor.openState}`)
}

/** Stores a version, which takes its API's visibility if it names none, and returns its JSON. */
export async function storeVersion(
  trx: Database,
  { userId }: Caller,
  draft: VersionDraft,
  api: OwningApi,
  vendor: Vendor,
): Promise<string> {
  const { id, body, state, pointer } = draft
  const visibility = draft.visibility ?? api.visibility
  const facts = {
    id,
    apiId: api.id,
    apiName: api.name,
    visibility: wireVisibility(vendor, visibility),
    state,
    created: api.now,
    updated: api.now,
    ratings: noRatings,
  }
  const document = versionDocument(body, facts, vendor)
  const doc = JSON.stringify(document)
  const vector = versionVector(document)
  await insertVersion(
    trx,
    { id, userId, api, name: body.Name, visibility, state, created: api.now, doc, vector },
    `${pointer}/Name`,
  )
  return doc
}

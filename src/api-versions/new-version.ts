import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import type { StateRules, StoredVisibility, Transaction } from '../database/tables.ts'
import { invalidMember } from '../fault.ts'
import { newId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import { storedVisibility, wireVisibility } from '../visibility.ts'
import { versionDocument } from './document.ts'
import { creation } from './history.ts'
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
  /** Leads to the version in the request's body. */
  pointer: string
}

/** @throws Malformed for a Visibility that is none of the known ones. */
export function draftVersion(body: Static<typeof VersionBody>, vendor: Vendor, pointer: string): VersionDraft {
  const { Visibility } = body
  const visibility =
    Visibility === undefined ? undefined : storedVisibility(vendor, Visibility, `${pointer}/Visibility`)
  return { id: newId(), body, visibility, pointer }
}

/**
 * Where a version begins: where the workflow's @Create leads, else in the open state.
 * @throws Malformed when the body has it begin elsewhere.
 */
function beginning({ body: { State }, pointer }: VersionDraft, { initial }: OwningApi, vendor: Vendor): StateRules {
  const first = initial ?? { state: vendor.openState, listed: true, changeable: true }
  if (State === undefined || State === first.state) return first
  const why = initial ? `: the workflow has versions begin there, by its action ${creation}` : ''
  throw invalidMember(`${pointer}/State`, `must be ${first.state}${why}`)
}

/**
 * Stores a version, which takes its API's visibility if it names none, and returns its JSON.
 * @throws Malformed for a State in which versions do not begin; the transaction, for a name that is taken
 */
export function storeVersion(
  trx: Transaction,
  { userId }: Caller,
  draft: VersionDraft,
  api: OwningApi,
  vendor: Vendor,
): string {
  const { id, body, pointer } = draft
  const first = beginning(draft, api, vendor)
  const visibility = draft.visibility ?? api.visibility
  const facts = {
    id,
    apiId: api.id,
    apiName: api.name,
    visibility: wireVisibility(vendor, visibility),
    state: first.state,
    created: api.now,
    updated: api.now,
    ratings: noRatings,
  }
  const document = versionDocument(body, facts, vendor)
  const doc = JSON.stringify(document)
  const vector = versionVector(document)
  insertVersion(
    trx,
    { id, userId, api, name: body.Name, visibility, ...first, created: api.now, doc, vector },
    `${pointer}/Name`,
  )
  return doc
}

import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { prepared } from '../database/prepared.ts'
import type { Database } from '../database/tables.ts'
import { notFound, possibleId } from '../ids.ts'
import type { Precondition } from '../representation/etag.ts'
import type { Vendor } from '../vendor.ts'
import { storedVisibility, wireVisibility } from '../visibility.ts'
import { versionDocument } from './document.ts'
import { missingVersion, type OwningApi } from './owning-api.ts'
import type { RatingCounts } from './ratings.ts'
import type { APIVersion, VersionBody, VersionChange } from './schemas.ts'
import { versionVector } from './search-text.ts'
import { refusedContent, refusedState } from './state-refusals.ts'
import { updateVersion } from './store.ts'

type Change = Static<typeof VersionChange>

/** A version that is locked until the transaction ends, with its JSON. */
export interface LockedVersion {
  id: string
  doc: string
  state: string
  /** Whether its state lets its content change. */
  changeable: boolean
  created: Date
  revision: number
  ratings: RatingCounts
}

/**
 * Finds the version of an API that a change is aimed at, and locks it: the one that APIVersionID names, else the one of
 * that Name, else the latest if the change has no Name. Undefined when a version of that Name is to be added, and when this
 * transaction has not changed the API: the statement may be sent behind that change, without knowing that it was allowed.
 * @throws NotFound when APIVersionID names no version of this API; `pointer` leads to the change in the request's body.
 */
export async function lockAimedVersion(
  trx: Database,
  apiId: string,
  { APIVersionID, Name }: Change,
  vendor: Vendor,
  pointer: string,
): Promise<LockedVersion | undefined> {
  if (APIVersionID !== undefined) {
    const value = possibleId(vendor, APIVersionID)
    const [found] = value === undefined ? [] : await aimedLocks.id(trx, { apiId, value })
    if (!found) throw notFound('version of this API', APIVersionID, `${pointer}/APIVersionID`)
    return found
  }
  const [found] =
    Name === undefined ? await lockLatest(trx, { apiId }) : await aimedLocks.name(trx, { apiId, value: Name })
  return found
}

/**
 * Locks a version to change it, behind its API. `id` is the stored id, `shown` the one in the request.
 * @throws NotFound when it is gone by now; PreconditionFailed
 */
export async function lockKnownVersion(
  trx: Database,
  apiId: string,
  id: string,
  shown: string,
  precondition: Precondition,
): Promise<LockedVersion> {
  const [version] = await lockById(trx, { apiId, id })
  if (!version) throw await missingVersion(trx, id, shown)
  precondition(version.revision)
  return version
}

const locking = (db: Database) =>
  db
    .selectFrom('api_version')
    .select(['id', 'state', 'changeable', 'created', 'revision', 'ratings', sql<string>`doc::text`.as('doc')])
    .forUpdate()

const lockById = prepared((db, { apiId, id }: { apiId: string; id: string }) =>
  locking(db).where('api_id', '=', apiId).where('id', '=', id),
)

/** SQL: a column of an API, if this transaction has changed it. */
const changed = (db: Database, apiId: string) =>
  db.selectFrom('api').where('id', '=', apiId).where(sql<boolean>`xmin = pg_current_xact_id()::xid`)

const lockLatest = prepared((db, { apiId }: { apiId: string }) =>
  locking(db).where('id', '=', changed(db, apiId).select('latest_version_id')),
)
const lockAimed = (key: 'id' | 'name') =>
  prepared((db, { apiId, value }: { apiId: string; value: string }) =>
    locking(db).where('api_id', '=', changed(db, apiId).select('id')).where(key, '=', value),
  )
const aimedLocks = { id: lockAimed('id'), name: lockAimed('name') }

/** Who changes a version, in which transaction and of which API, which it has locked. */
export interface Changing {
  trx: Database
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
  change: Change,
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
  { trx, caller: { userId }, api, vendor }: Changing,
  version: LockedVersion,
  body: Whole,
  pointers: Pointers,
): Promise<string> {
  if (body.State !== version.state) throw await refusedState(trx, version.state, body.State, vendor, pointers.version)
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
  updateVersion(trx, { id: version.id, userId, before: version, ...columns }, pointers.name)
  return doc
}

/** What people say of a version; the service says the rest. */
function contentOf(document: Static<typeof APIVersion>): string {
  return JSON.stringify(document, (member, value) =>
    member === 'Updated' || member === 'InterfaceQName' || member === 'RatingSummary' ? undefined : value,
  )
}

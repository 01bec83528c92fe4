import { sql } from 'kysely'
import type { Static } from 'typebox'
import { prepared } from '../database/prepared.ts'
import type { Database, StoredVisibility, Transaction } from '../database/tables.ts'
import { possibleId } from '../ids.ts'
import type { Precondition } from '../representation/etag.ts'
import type { Vendor } from '../vendor.ts'
import { missingVersion } from './owning-api.ts'
import type { RatingCounts } from './ratings.ts'
import type { VersionChange } from './schemas.ts'

/** A version that is locked until the transaction ends, with its JSON. */
export interface LockedVersion {
  id: string
  doc: string
  visibility: StoredVisibility
  state: string
  /** Whether its state lets its content change. */
  changeable: boolean
  created: Date
  revision: number
  ratings: RatingCounts
}

/**
 * Finds the version of an API that a change is aimed at, and locks it: the one that APIVersionID names, else the one of
 * that Name, else the latest if the change has no Name. Undefined where there is none, and where this transaction has not
 * changed the API: the statement may be sent behind that change before it is known whether the caller might make it.
 */
export async function lockAimedVersion(
  trx: Transaction,
  apiId: string,
  { APIVersionID, Name }: Static<typeof VersionChange>,
  vendor: Vendor,
): Promise<LockedVersion | undefined> {
  if (APIVersionID !== undefined) {
    const value = possibleId(vendor, APIVersionID)
    return value === undefined ? undefined : (await aimedLocks.id(trx, { apiId, value }))[0]
  }
  const [found] =
    Name === undefined ? await lockLatest(trx, { apiId }) : await aimedLocks.name(trx, { apiId, value: Name })
  return found
}

/**
 * Locks a version to change it, behind its API.
 * @throws NotFound when it is gone by now; PreconditionFailed
 */
export async function lockKnownVersion(
  trx: Transaction,
  apiId: string,
  id: string,
  givenId: string,
  precondition: Precondition,
): Promise<LockedVersion> {
  const [version] = await lockById(trx, { apiId, id })
  if (!version) throw await missingVersion(trx, id, givenId)
  precondition(version.revision)
  return version
}

const locking = (db: Database) =>
  db
    .selectFrom('api_version')
    .select([
      'id',
      'visibility',
      'state',
      'changeable',
      'created',
      'revision',
      'ratings',
      sql<string>`doc::text`.as('doc'),
    ])
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

import { sql } from 'kysely'
import { type Caller, readerOf } from '../access/caller.ts'
import { mayRead } from '../access/entitlement.ts'
import { deprecation as deprecationAction, undeprecation, withHistory } from '../api-versions/history.ts'
import { missingVersion } from '../api-versions/owning-api.ts'
import { notReadable } from '../api-versions/store.ts'
import type { Database, StoredVisibility, Transaction } from '../database/tables.ts'
import { readableSuccessor } from '../deprecated-reads/deprecation.ts'
import { NotFound } from '../fault.ts'
import type { Precondition } from '../representation/etag.ts'

/** A deprecation with what it is of, as somebody may read it. */
export interface DeprecationRow {
  id: string
  name: string
  apiId: string
  apiName: string
  deprecated: Date
  sunset: Date | null
  successorId: string | null
  notes: string | null
}

/**
 * Reads the deprecation of a version.
 * @throws NotFound when there is no such version, or it is not deprecated; Unauthorized
 */
export async function readDeprecation(
  db: Database,
  caller: Caller | null,
  id: string,
  givenId: string,
): Promise<DeprecationRow> {
  const row = await db
    .selectFrom('api_version as v')
    .innerJoin('api as a', 'a.id', 'v.api_id')
    .where('v.id', '=', id)
    .select(['v.id', 'v.name', 'v.api_id as apiId', 'a.name as apiName', 'v.audience', 'v.admin_group_id as groupId'])
    .select(['v.deprecated', 'v.sunset', 'v.deprecation_notes as notes'])
    .select(readableSuccessor(readerOf(caller)).as('successorId'))
    .executeTakeFirst()
  if (!row) throw await missingVersion(db, id, givenId)
  if (!(await mayRead(db, caller, row.audience, row.groupId))) throw notReadable(caller)
  const { deprecated } = row
  if (!deprecated) throw notDeprecated()
  return { ...row, deprecated }
}

export function notDeprecated(): NotFound {
  return new NotFound('This API version is not deprecated.')
}

/** A version that is locked until the transaction ends; nobody who refers to it waits. */
export interface LockedForDeprecation {
  id: string
  revision: number
  state: string
  audience: StoredVisibility
  groupId: string
  deprecated: Date | null
}

/**
 * Locks a version to change its deprecation.
 * @throws NotFound when it is gone by now; PreconditionFailed
 */
export async function lockForDeprecation(
  trx: Transaction,
  id: string,
  givenId: string,
  precondition: Precondition,
): Promise<LockedForDeprecation> {
  const version = await trx
    .selectFrom('api_version')
    .where('id', '=', id)
    .select(['id', 'revision', 'state', 'audience', 'admin_group_id as groupId', 'deprecated'])
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!version) throw await missingVersion(trx, id, givenId)
  precondition(version.revision)
  return version
}

/** The version that takes the place of another, locked against changes of who may read it. */
export interface Successor {
  id: string
  audience: StoredVisibility
  groupId: string
}

/** What becomes of a version's deprecation; null where it has none any more. */
export interface NewDeprecation {
  deprecated: Date
  sunset: Date | null
  successor: Successor | null
  notes: string | null
}

/** Writes the deprecation of a locked version, which makes a revision of it. */
export async function writeDeprecation(
  trx: Transaction,
  { userId }: Caller,
  { id, revision, state }: LockedForDeprecation,
  deprecation: NewDeprecation | null,
  now: Date,
): Promise<void> {
  const { deprecated, sunset, successor, notes } = deprecation ?? {}
  const entry = { version_id: id, revision: revision + 1, at: now, user_id: userId, from_state: state, to_state: state }
  await withHistory(trx, { ...entry, action: deprecation ? deprecationAction : undeprecation })
    .updateTable('api_version')
    .set({
      revision: revision + 1,
      deprecated: deprecated ?? null,
      sunset: sunset ?? null,
      successor_id: successor?.id ?? null,
      successor_audience: successor?.audience ?? null,
      successor_group_id: successor?.groupId ?? null,
      deprecation_notes: notes ?? null,
      deprecation_changed: deprecation && sql<Date>`date_trunc('seconds', now())`,
    })
    .where('id', '=', id)
    .execute()
}

import { sql } from 'kysely'
import { type Caller, notEntitled } from '../access/caller.ts'
import { administers } from '../access/entitlement.ts'
import { prepared } from '../database/prepared.ts'
import type { Database, StateRules, StoredVisibility, Transaction } from '../database/tables.ts'
import { notFound, otherKind } from '../ids.ts'
import type { Precondition } from '../representation/etag.ts'
import { lockedWorkflow } from '../workflow/store.ts'

/**
 * The API that a version belongs to and the workflow, both locked by this transaction, and the moment of its change by the
 * database's clock.
 */
export interface OwningApi {
  id: string
  name: string
  visibility: StoredVisibility
  latestVersionId: string
  adminGroupId: string
  now: Date
  /** Where the workflow has versions begin; null without one. */
  initial: StateRules | null
}

const owningApiColumns = [
  'a.id',
  'a.name',
  'a.visibility',
  'a.latest_version_id as latestVersionId',
  'a.admin_group_id as adminGroupId',
  'a.updated as now',
  'w.initial',
] as const

/**
 * SQL: this moment, when the row `a` of api is locked; later than the last one. So what is newer is also later, however
 * long somebody has waited for the lock.
 */
export const momentOfChange = sql<Date>`greatest(date_trunc('milliseconds', clock_timestamp()), a.updated + interval '1 ms')`

/**
 * Locks an API and points it to the version that this transaction is about to add.
 * @throws NotFound, Unauthorized, PreconditionFailed
 */
export async function lockApiForNewVersion(
  trx: Transaction,
  caller: Caller,
  id: string,
  givenId: string,
  versionId: string,
  precondition: Precondition,
): Promise<OwningApi> {
  const [api] = await pointToNewVersion(trx, { id, versionId, userId: caller.userId })
  if (!api) throw await notModifiable(trx, caller, id, givenId)
  precondition(api.revision - 1)
  return api
}

const pointToNewVersion = prepared((db, { id, versionId, userId }: { id: string; versionId: string; userId: string }) =>
  db
    .updateTable('api as a')
    .from(lockedWorkflow.as('w'))
    .set({ latest_version_id: versionId, updated: momentOfChange, revision: sql`a.revision + 1` })
    .where('a.id', '=', id)
    .where(administers({ userId }, 'a.admin_group_id'))
    .returning([...owningApiColumns, 'a.revision']),
)

/**
 * Locks the API of a version, for a change of that version. `id` is the version's stored id.
 * @throws NotFound, Unauthorized
 */
export async function lockApiOfVersion(
  trx: Transaction,
  caller: Caller,
  id: string,
  givenId: string,
): Promise<OwningApi> {
  const api = await trx
    .updateTable('api as a')
    .from(lockedWorkflow.as('w'))
    .set({ updated: momentOfChange, revision: sql`a.revision + 1` })
    .where('a.id', '=', (select) => select.selectFrom('api_version').where('id', '=', id).select('api_id'))
    .where(administers(caller, 'a.admin_group_id'))
    .returning(owningApiColumns)
    .executeTakeFirst()
  if (!api) throw await versionNotModifiable(trx, caller, id, givenId)
  return api
}

/** Why a statement that needs Modify permission found no API of a version: that is gone, or the caller may not. */
export async function versionNotModifiable(
  trx: Transaction,
  caller: Caller,
  id: string,
  givenId: string,
): Promise<Error> {
  const exists = await trx.selectFrom('api_version').where('id', '=', id).select('id').executeTakeFirst()
  return exists ? mayNotModify(caller) : missingVersion(trx, id, givenId)
}

/**
 * The API that a version belongs to, once and for all. `id` is the version's stored id.
 * @throws NotFound
 */
export async function apiIdOfVersion(db: Database, id: string, givenId: string): Promise<string> {
  const version = await db.selectFrom('api_version').where('id', '=', id).select('api_id').executeTakeFirst()
  if (!version) throw await missingVersion(db, id, givenId)
  return version.api_id
}

/** Why a statement that needs Modify permission found no API to change: there is none, or the caller may not. */
export async function notModifiable(trx: Transaction, caller: Caller, id: string, givenId: string): Promise<Error> {
  const exists = await trx.selectFrom('api').where('id', '=', id).select('id').executeTakeFirst()
  return exists ? mayNotModify(caller) : missingApi(trx, id, givenId)
}

/** The fault for a caller who may not modify an API or its versions. */
export function mayNotModify(caller: Caller): Error {
  return notEntitled(caller, 'this needs an API Admin of the API or a Business Admin')
}

/** The fault for an id that names no API; says so when it names a version. */
export async function missingApi(db: Database, id: string, givenId: string): Promise<Error> {
  const version = await db.selectFrom('api_version').where('id', '=', id).select('id').executeTakeFirst()
  return version ? otherKind(givenId, '[apiversion]', 'an API') : notFound('API', givenId)
}

/**
 * The fault for an id that names no version; says so when it names an API. `kind` says what was looked for; `pointer` leads
 * to the id where it stands in the body.
 */
export async function missingVersion(
  db: Database,
  id: string,
  givenId: string,
  kind = 'version',
  pointer?: string,
): Promise<Error> {
  const api = await db.selectFrom('api').where('id', '=', id).select('id').executeTakeFirst()
  return api ? otherKind(givenId, '[api]', 'a version', pointer) : notFound(kind, givenId, pointer)
}

import { sql } from 'kysely'
import { type Caller, notEntitled } from '../access/caller.ts'
import { administers } from '../access/entitlement.ts'
import type { Database, StoredVisibility } from '../database/tables.ts'
import { notFound } from '../ids.ts'

/** The API that a version is added to, and the moment by the database's clock. */
export interface OwningApi {
  id: string
  name: string
  visibility: StoredVisibility
  now: Date
}

/**
 * Locks an API and points it to the version that this transaction is about to add. `id` is the stored id, `shown` the one
 * in the request.
 * @throws NotFound, Unauthorized
 */
export async function lockApiForNewVersion(
  trx: Database,
  caller: Caller,
  id: string,
  shown: string,
  versionId: string,
): Promise<OwningApi> {
  const api = await trx
    .updateTable('api as a')
    .set({ latest_version_id: versionId, updated: sql<Date>`date_trunc('milliseconds', now())` })
    .where('a.id', '=', id)
    .where(administers(caller, 'a.admin_group_id'))
    .returning(['a.id', 'a.name', 'a.visibility', 'a.updated as now'])
    .executeTakeFirst()
  if (api) return api
  const exists = await trx.selectFrom('api').where('id', '=', id).select('id').executeTakeFirst()
  if (!exists) throw await missingApi(trx, id, shown)
  throw notEntitled(caller, 'this needs an API Admin of the API or a Business Admin')
}

/** The fault for an id that names no API; says so when it names a version. */
export async function missingApi(db: Database, id: string, shown: string): Promise<Error> {
  const version = await db.selectFrom('api_version').where('id', '=', id).select('id').executeTakeFirst()
  return notFound('[api]', shown, version && '[apiversion]')
}

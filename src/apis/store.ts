import { sql } from 'kysely'
import { type Caller, notEntitled } from '../access/caller.ts'
import { hasRole } from '../access/entitlement.ts'
import { missingApi } from '../api-versions/owning-api.ts'
import { apiReadable, versionReadable } from '../api-versions/permission.ts'
import type { Database, StoredVisibility } from '../database/tables.ts'
import { newId } from '../ids.ts'

export interface ApiRow {
  id: string
  name: string
  description: string | null
  visibility: StoredVisibility
  tags: string[]
  picture_id: string | null
  admin_group_id: string
  latest_version_id: string
  created: Date
  updated: Date
}

/** An API, and the JSON of its latest version if that is asked for and the caller may read it. */
export interface ApiWithVersion extends ApiRow {
  version: string | null
}

/**
 * `id` is the stored id, `shown` the one in the request.
 * @throws NotFound, Unauthorized
 */
export async function readApi(
  db: Database,
  caller: Caller | null,
  id: string,
  shown: string,
  withVersion: boolean,
): Promise<ApiWithVersion> {
  const row = await db
    .selectFrom('api as a')
    .leftJoin('api_version as v', (join) =>
      join.onRef('v.id', '=', 'a.latest_version_id').on(sql.lit(withVersion), '=', true),
    )
    .where('a.id', '=', id)
    .selectAll('a')
    .select(sql<string | null>`case when ${versionReadable(caller)} then v.doc::text end`.as('version'))
    .select(apiReadable(caller).as('readable'))
    .executeTakeFirst()
  if (!row) throw await missingApi(db, id, shown)
  if (!row.readable) throw notEntitled(caller, 'this needs Read permission on the API')
  return row
}

export interface NewApi {
  name: string
  description: string | null
  visibility: StoredVisibility
  tags: string[]
  picture_id: string | null
  latest_version_id: string
}

/**
 * Stores an API with a new admin group, whose first member is the caller.
 * @throws Unauthorized unless the caller is a Business Admin or `anyUser` is set.
 */
export async function insertApi(trx: Database, caller: Caller, api: NewApi, anyUser: boolean): Promise<ApiRow> {
  const groupId = newId()
  const added =
    await sql`insert into admin_group (id) select ${groupId}::uuid where ${anyUser} or ${hasRole(caller)}`.execute(trx)
  if (added.numAffectedRows === 0n) throw notEntitled(caller, 'this needs a Business Admin')
  await trx.insertInto('group_member').values({ group_id: groupId, user_id: caller.userId }).execute()
  return trx
    .insertInto('api')
    .values({ id: newId(), admin_group_id: groupId, ...api })
    .returningAll()
    .executeTakeFirstOrThrow()
}

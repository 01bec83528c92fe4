import type { RawBuilder } from 'kysely'
import type { Caller, Reader } from '../access/caller.ts'
import { isReadable, mayAdminister } from '../access/entitlement.ts'
import type { Database } from '../database/tables.ts'
import { mayNotModify, missingVersion } from './owning-api.ts'

/** SQL: whether somebody may read the row `a` of api. */
export function apiReadable(reader: Reader): RawBuilder<boolean> {
  return isReadable(reader, 'a.visibility', 'a.admin_group_id')
}

/** SQL: whether somebody may read the row `v` of api_version; its audience is no wider than its API's. */
export function versionReadable(reader: Reader): RawBuilder<boolean> {
  return isReadable(reader, 'v.audience', 'v.admin_group_id')
}

/** SQL: whether lists and search show the row `v` of api_version to somebody, which its state may keep them from. */
export function versionListed(reader: Reader): RawBuilder<boolean> {
  return isReadable(reader, 'v.listing', 'v.admin_group_id')
}

/**
 * Makes sure that the caller may modify a version, before a look at what only its administrators see.
 * @throws NotFound, Unauthorized
 */
export async function checkModifiable(db: Database, caller: Caller, id: string, givenId: string): Promise<void> {
  const version = await db
    .selectFrom('api_version')
    .where('id', '=', id)
    .select('admin_group_id as groupId')
    .executeTakeFirst()
  if (!version) throw await missingVersion(db, id, givenId)
  if (!(await mayAdminister(db, caller, version.groupId))) throw mayNotModify(caller)
}

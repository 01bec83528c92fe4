import { sql } from 'kysely'
import { type Caller, notEntitled } from '../access/caller.ts'
import { mayRead } from '../access/entitlement.ts'
import type { Database } from '../database/tables.ts'
import { type Deprecation, readableSuccessor } from '../deprecated-reads/deprecation.ts'
import { type Filters, isNamed } from '../lists/filters.ts'
import { rowsReader } from '../lists/rows-reader.ts'
import { type ListedVersion, versionTable } from './listed.ts'
import { missingApi } from './owning-api.ts'

/** A version of an API, with what the reader is told of its deprecation, if it has one. */
export interface VersionOfApi extends ListedVersion {
  deprecated: Date | null
  sunset: Date | null
  successorId: string | null
}

const tableWithDeprecations = versionTable((reader) => ({
  deprecated: sql.ref('v.deprecated'),
  sunset: sql.ref('v.sunset'),
  successorId: readableSuccessor(reader),
}))

/** Reads versions of one API: they are few, so one way leads to them, whatever the filters. */
export const readVersionsOf = rowsReader<VersionOfApi, Filters & { apiId: string }>(tableWithDeprecations, {
  always: (values) => sql`(${values.state}::text is null or t.state = ${values.state}::text) and ${isNamed(values)}
    and (${values.tag}::tsquery is null or t.search @@ ${values.tag}::tsquery)`,
  source: (f, { apiId }) => sql`(${f.rows} from api_version t
    where t.api_id = ${apiId}::uuid and (${f.isVisible} or ${f.isMember}) and ${f.isOfVisibility} and ${f.isWanted}
    ${f.order} limit ${f.sought})`,
})

/**
 * Makes sure that the caller may read an API.
 * @throws NotFound, Unauthorized
 */
export async function checkReadable(db: Database, caller: Caller | null, id: string, givenId: string): Promise<void> {
  const api = await db
    .selectFrom('api as a')
    .where('a.id', '=', id)
    .select(['a.visibility', 'a.admin_group_id as groupId'])
    .executeTakeFirst()
  if (!api) throw await missingApi(db, id, givenId)
  if (!(await mayRead(db, caller, api.visibility, api.groupId)))
    throw notEntitled(caller, 'this needs Read permission on the API')
}

/** What the reader of versions is told of those that are deprecated. */
export function deprecationsOf(versions: readonly VersionOfApi[]): Deprecation[] {
  return versions.flatMap(({ id: versionId, deprecated, sunset, successorId }) =>
    deprecated ? [{ versionId, deprecated, sunset, successorId }] : [],
  )
}

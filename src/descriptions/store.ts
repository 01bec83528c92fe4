import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { mayRead } from '../access/entitlement.ts'
import { missingVersion } from '../api-versions/owning-api.ts'
import { notReadable } from '../api-versions/store.ts'
import { prepared } from '../database/prepared.ts'
import type { Database } from '../database/tables.ts'
import { type Deprecation, deprecationColumn, readableDeprecation } from '../deprecated-reads/deprecation.ts'
import type { StoredVersion } from './write.ts'

// `versionDocument` writes the members that descriptions are made of first. The rest is half of an ordinary version, and
// would be sent and parsed for nothing. Within a text the quotes are escaped, so that it cannot look like a member.
const publishedPart = sql<string>`split_part(split_part(v.doc::text, ',"TargetAPI":{', 1), ',"Policies":{', 1) || '}'`

const describedById = prepared((db, values: { id: string; withDoc: boolean }) =>
  db
    .selectFrom('api_version as v')
    .innerJoin('api as a', 'a.id', 'v.api_id')
    .where('v.id', '=', values.id)
    .select([
      'a.name as apiName',
      'a.summary as apiSummary',
      'a.description as apiDescription',
      sql<string>`case when ${values.withDoc}::boolean then ${publishedPart} else '' end`.as('doc'),
      'v.audience',
      'v.admin_group_id as groupId',
      deprecationColumn,
    ]),
)

/**
 * A version with what descriptions say of its API, and of its deprecation. Its document, which may be large, is empty
 * unless `withDoc`, and ends before `TargetAPI`.
 * @throws NotFound, Unauthorized
 */
export async function readDescribed(
  db: Database,
  caller: Caller | null,
  id: string,
  givenId: string,
  withDoc: boolean,
): Promise<{ version: StoredVersion; deprecation: Deprecation | null }> {
  const [row] = await describedById(db, { id, withDoc })
  if (!row) throw await missingVersion(db, id, givenId)
  if (!(await mayRead(db, caller, row.audience, row.groupId))) throw notReadable(caller)
  const { apiName, apiSummary, apiDescription, doc } = row
  const version = { apiName, apiSummary, apiDescription, doc }
  return { version, deprecation: await readableDeprecation(db, caller, id, row.deprecation) }
}

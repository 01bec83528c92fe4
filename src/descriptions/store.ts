import { sql } from 'kysely'
import { type Caller, notEntitled, type Reader, readerOf } from '../access/caller.ts'
import { missingVersion } from '../api-versions/owning-api.ts'
import { versionReadable } from '../api-versions/permission.ts'
import { prepared } from '../database/prepared.ts'
import type { Database } from '../database/tables.ts'
import type { Described } from './described.ts'

const describedById = prepared((db, values: Reader & { id: string }) =>
  db
    .selectFrom('api_version as v')
    .innerJoin('api as a', 'a.id', 'v.api_id')
    .where('v.id', '=', values.id)
    .select([
      'a.name as apiName',
      'a.summary as apiSummary',
      'a.description as apiDescription',
      sql<string>`v.doc::text`.as('doc'),
      versionReadable(values).as('readable'),
    ]),
)

/**
 * A version with what descriptions say of its API. `id` is the stored id, `shown` the one in the request.
 * @throws NotFound, Unauthorized
 */
export async function readDescribed(
  db: Database,
  caller: Caller | null,
  id: string,
  shown: string,
): Promise<Described> {
  const [row] = await describedById(db, { id, ...readerOf(caller) })
  if (!row) throw await missingVersion(db, id, shown)
  if (!row.readable) throw notEntitled(caller, 'this needs Read permission on the API version')
  const { apiName, apiSummary, apiDescription, doc } = row
  return { apiName, apiSummary, apiDescription, version: JSON.parse(doc) }
}

import { sql } from 'kysely'
import { type Caller, notEntitled } from '../access/caller.ts'
import { brokenUniqueness } from '../database/errors.ts'
import type { Database, StoredVisibility } from '../database/tables.ts'
import { invalidMember } from '../fault.ts'
import { missingVersion } from './owning-api.ts'
import { versionReadable } from './permission.ts'

/**
 * The JSON of a version as clients read it. `id` is the stored id, `shown` the one in the request.
 * @throws NotFound, Unauthorized
 */
export async function readVersion(db: Database, caller: Caller | null, id: string, shown: string): Promise<string> {
  const row = await db
    .selectFrom('api_version as v')
    .innerJoin('api as a', 'a.id', 'v.api_id')
    .where('v.id', '=', id)
    .select([sql<string>`v.doc::text`.as('doc'), versionReadable(caller).as('readable')])
    .executeTakeFirst()
  if (!row) throw await missingVersion(db, id, shown)
  if (!row.readable) throw notEntitled(caller, 'this needs Read permission on the API version')
  return row.doc
}

export interface NewVersion {
  id: string
  apiId: string
  name: string
  visibility: StoredVisibility
  state: string
  created: Date
  doc: string
}

/** @throws Malformed when the API has a version of that name; `pointer` leads to the name in the body. */
export async function insertVersion(trx: Database, version: NewVersion, pointer: string): Promise<void> {
  const { id, apiId, name, visibility, state, created, doc } = version
  await trx
    .insertInto('api_version')
    .values({ id, api_id: apiId, name, visibility, state, created, updated: created, doc })
    .execute()
    .catch(takenName(pointer))
}

export type ChangedVersion = Omit<NewVersion, 'apiId' | 'created'> & { updated: Date }

/** @throws Malformed as above. */
export async function updateVersion(trx: Database, { id, ...columns }: ChangedVersion, pointer: string): Promise<void> {
  await trx
    .updateTable('api_version')
    .set({ ...columns, revision: sql`revision + 1` })
    .where('id', '=', id)
    .execute()
    .catch(takenName(pointer))
}

export async function deleteVersion(trx: Database, id: string): Promise<void> {
  await trx.deleteFrom('api_version').where('id', '=', id).execute()
}

function takenName(pointer: string): (error: unknown) => never {
  return (error) => {
    if (brokenUniqueness(error) !== 'api_version_api_id_name_key') throw error
    throw invalidMember(pointer, 'is the name of another version of this API')
  }
}

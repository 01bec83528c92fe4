import { sql } from 'kysely'
import { type Caller, notEntitled } from '../access/caller.ts'
import { mayRead } from '../access/entitlement.ts'
import { brokenUniqueness } from '../database/errors.ts'
import { prepared } from '../database/prepared.ts'
import type { Database, StateRules, StoredVisibility, Transaction } from '../database/tables.ts'
import { ahead } from '../database/transaction.ts'
import { type Deprecation, deprecationColumn, readableDeprecation } from '../deprecated-reads/deprecation.ts'
import { invalidMember } from '../fault.ts'
import { creation, modification, withHistory } from './history.ts'
import { missingVersion, type OwningApi } from './owning-api.ts'
import { versionSearch } from './search-text.ts'

// Its ratings change what is read of a version, but nothing that an edit could overwrite.
const state = sql<string>`concat(v.revision, '.', v.ratings_changed)`

const versionById = prepared((db, values: { id: string; knownStates: string[] | null }) =>
  db
    .selectFrom('api_version as v')
    .where('v.id', '=', values.id)
    .select([
      state.as('state'),
      sql<string | null>`case when ${state} = any(${values.knownStates}::text[]) then null else v.doc::text end`.as(
        'doc',
      ),
      'v.audience',
      'v.admin_group_id as groupId',
      deprecationColumn,
    ]),
)

/** A version as clients read it; `doc` is null where its state is one that the client has already. */
export interface ReadVersion {
  state: string
  doc: string | null
  deprecation: Deprecation | null
}

/**
 * Reads a version. `pointer` leads to its id where that stands in the body.
 * @throws NotFound, Unauthorized
 */
export async function readVersion(
  db: Database,
  caller: Caller | null,
  id: string,
  givenId: string,
  knownStates: string[] | undefined,
  pointer?: string,
): Promise<ReadVersion> {
  const [row] = await versionById(db, { id, knownStates: knownStates ?? null })
  if (!row) throw await missingVersion(db, id, givenId, 'version', pointer)
  if (!(await mayRead(db, caller, row.audience, row.groupId))) throw notReadable(caller)
  return { state: row.state, doc: row.doc, deprecation: await readableDeprecation(db, caller, id, row.deprecation) }
}

/** The fault for a caller who may not read a version. */
export function notReadable(caller: Caller | null): Error {
  return notEntitled(caller, 'this needs Read permission on the API version')
}

export interface NewVersion extends StateRules {
  id: string
  /** Who adds it, for its history. */
  userId: string
  api: OwningApi
  name: string
  visibility: StoredVisibility
  created: Date
  doc: string
  /** What search finds, beside what it finds of the API. */
  vector: string
}

type Row = NewVersion & { apiId: string; apiVisibility: StoredVisibility; groupId: string }

const insertion = prepared((db, row: Row) =>
  withHistory(db, {
    version_id: row.id,
    revision: 1,
    at: row.created,
    user_id: row.userId,
    action: creation,
    to_state: row.state,
  })
    .insertInto('api_version')
    .values({
      id: row.id,
      api_id: row.apiId,
      api_visibility: row.apiVisibility,
      admin_group_id: row.groupId,
      name: row.name,
      visibility: row.visibility,
      state: row.state,
      listed: row.listed,
      changeable: row.changeable,
      created: row.created,
      updated: row.created,
      doc: row.doc,
      search: versionSearch(sql`${row.vector}`, sql`(select search from api where id = ${row.apiId})`),
    }),
)

/**
 * Stores a version. The transaction fails with Malformed when the API has one of that name; `pointer` leads to the name in
 * the body.
 */
export function insertVersion(trx: Transaction, version: NewVersion, pointer: string): void {
  const { id, visibility, adminGroupId } = version.api
  const row = { apiId: id, apiVisibility: visibility, groupId: adminGroupId, ...version }
  ahead(trx, insertion(trx, row).catch(takenName(pointer)))
}

/** A version that this transaction has locked, as it is to be; `before` is what it was. */
export type ChangedVersion = Omit<NewVersion, 'api' | 'created' | keyof StateRules> & {
  updated: Date
  before: { revision: number; state: string }
}

type ChangedRow = ChangedVersion & { revision: number; state: string }

const change = prepared((db, { id, userId, revision, state, name, visibility, updated, doc, vector }: ChangedRow) =>
  withHistory(db, {
    version_id: id,
    revision,
    at: updated,
    user_id: userId,
    action: modification,
    from_state: state,
    to_state: state,
  })
    .updateTable('api_version')
    .set({
      name,
      visibility,
      updated,
      doc,
      revision,
      search: versionSearch(sql`${vector}`, sql`(select search from api where id = api_id)`),
    })
    .where('id', '=', id),
)

/** Stores what became of a version. The transaction fails as above. */
export function updateVersion(trx: Transaction, version: ChangedVersion, pointer: string): void {
  const { revision, state } = version.before
  ahead(trx, change(trx, { revision: revision + 1, state, ...version }).catch(takenName(pointer)))
}

export async function deleteVersion(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('api_version').where('id', '=', id).execute()
}

function takenName(pointer: string): (error: unknown) => never {
  return (error) => {
    if (brokenUniqueness(error) !== 'api_version_api_id_name_key') throw error
    throw invalidMember(pointer, 'is the name of another version of this API')
  }
}

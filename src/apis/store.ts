import { type Selectable, sql } from 'kysely'
import { type Caller, notEntitled, type Reader, readerOf } from '../access/caller.ts'
import { hasRole } from '../access/entitlement.ts'
import { missingApi, type OwningApi } from '../api-versions/owning-api.ts'
import { apiReadable } from '../api-versions/permission.ts'
import { noRatings, type RatingCounts, ratingsOfApi } from '../api-versions/ratings.ts'
import { prepared } from '../database/prepared.ts'
import type { Database, StateRules, StoredVisibility, Tables, Transaction } from '../database/tables.ts'
import { type Deprecation, deprecationColumn, readableDeprecation } from '../deprecated-reads/deprecation.ts'
import { newId } from '../ids.ts'
import { lockedWorkflow } from '../workflow/store.ts'
import { isFollowedBy } from './follow.ts'
import { apiVector } from './search-text.ts'
import { shownVersion } from './shown-version.ts'

const told = [
  'id',
  'name',
  'description',
  'summary',
  'visibility',
  'tags',
  'picture_id',
  'admin_group_id',
  'created',
  'updated',
  'revision',
] as const
const columns = [...told, 'latest_version_id'] as const
const toldOfA = told.map((column) => `a.${column}` as const)
/** What an ApiRow has of the row `a` of api. */
export const columnsOfA = columns.map((column) => `a.${column}` as const)

/** An API, with what the caller sees of its ratings and whether they follow it. */
export type ApiRow = Omit<Selectable<Tables['api']>, 'sort_name' | 'search'> & {
  ratings: RatingCounts
  followed: boolean
}

/** An API that this transaction has made or changed, and where the workflow has versions begin. */
export interface ChangedApi extends ApiRow {
  initial: StateRules | null
}

/** An API as the caller is shown it, with the JSON of a version if that is asked for. */
export interface ApiWithVersion extends Omit<ApiRow, 'latest_version_id'> {
  /** Null where lists show the caller no version of it. */
  latest_version_id: string | null
  version: string | null
}

/** Such an API as it is read, with the latest version that lists show the caller. */
export interface ReadApi extends ApiWithVersion {
  /** Tells the states of the version's ratings apart. */
  versionRatings: number | null
  /** Of the version that is nested. */
  deprecation: Deprecation | null
}

/** SQL: what somebody sees of the ratings of the row `a` of api, and whether they follow it. */
export function ratingsAndFollowing(reader: Reader) {
  return [ratingsOfApi(reader).as('ratings'), isFollowedBy(reader).as('followed')] as const
}

const apiById = prepared((db, values: Reader & { id: string; withVersion: boolean }) =>
  db
    .selectFrom('api as a')
    .leftJoinLateral(shownVersion(values, 'a').as('v'), (join) => join.onTrue())
    .where('a.id', '=', values.id)
    .select(toldOfA)
    .select(ratingsAndFollowing(values))
    .select(['v.id as latest_version_id', 'v.ratings_changed as versionRatings'])
    .select(deprecationColumn)
    .select(sql<string | null>`case when ${values.withVersion}::boolean then v.doc::text end`.as('version'))
    .select(apiReadable(values).as('readable')),
)

/**
 * Reads an API, with the version that the caller is shown of it if that is asked for.
 * @throws NotFound, Unauthorized
 */
export async function readApi(
  db: Database,
  caller: Caller | null,
  id: string,
  givenId: string,
  withVersion: boolean,
): Promise<ReadApi> {
  const [row] = await apiById(db, { ...readerOf(caller), id, withVersion })
  if (!row) throw await missingApi(db, id, givenId)
  if (!row.readable) throw notEntitled(caller, 'this needs Read permission on the API')
  const { version, latest_version_id: shownId } = row
  const deprecation =
    version === null || shownId === null ? null : await readableDeprecation(db, caller, shownId, row.deprecation)
  return Object.assign(row, { deprecation })
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
export async function insertApi(trx: Transaction, caller: Caller, api: NewApi, anyUser: boolean): Promise<ChangedApi> {
  const groupId = newId()
  const added =
    await sql`insert into admin_group (id) select ${groupId}::uuid where ${anyUser} or ${hasRole(caller)}`.execute(trx)
  if (added.numAffectedRows === 0n) throw notEntitled(caller, 'this needs a Business Admin')
  await trx.insertInto('group_member').values({ group_id: groupId, user_id: caller.userId }).execute()
  const row = await trx
    .insertInto('api')
    .values({
      id: newId(),
      admin_group_id: groupId,
      ...api,
      search: sql`${apiVector({ ...api, summary: null })}::tsvector`,
    })
    .returning(columns)
    .returning(sql<StateRules | null>`(select initial from ${lockedWorkflow} w)`.as('initial'))
    .executeTakeFirstOrThrow()
  return { ...row, ratings: noRatings, followed: false }
}

/** Removes an API with its versions and its admin group, all of them locked by this transaction. */
export async function deleteApi(trx: Transaction, id: string, groupId: string): Promise<void> {
  await trx.deleteFrom('api').where('id', '=', id).execute()
  await trx.deleteFrom('admin_group').where('id', '=', groupId).execute()
}

/** The newest version of an API; undefined when it has none. */
export async function newestVersionId(trx: Transaction, id: string): Promise<string | undefined> {
  const newest = await trx
    .selectFrom('api_version')
    .where('api_id', '=', id)
    .select('id')
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.id
}

/** Makes a version the latest of its API, which this transaction has locked. */
export async function pointToLatest(trx: Transaction, id: string, versionId: string): Promise<void> {
  await trx.updateTable('api').set({ latest_version_id: versionId }).where('id', '=', id).execute()
}

/** An API as the functions that change its versions know it. */
export function owningApi(row: ChangedApi): OwningApi {
  return {
    id: row.id,
    name: row.name,
    visibility: row.visibility,
    latestVersionId: row.latest_version_id,
    adminGroupId: row.admin_group_id,
    now: row.updated,
    initial: row.initial,
  }
}

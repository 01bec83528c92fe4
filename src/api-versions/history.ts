import { type Insertable, sql } from 'kysely'
import type { Database, Tables } from '../database/tables.ts'
import type { PlaceValues } from '../lists/listed.ts'
import { type Part, type Placed, partOf } from '../lists/page.ts'
import { leastId, type Place } from '../lists/sort.ts'

// Names of actions that no workflow gives.
export const creation = '@Create'
export const modification = '@Modify'
export const deprecation = '@Deprecate'
export const undeprecation = '@Undeprecate'

/** A statement that makes a revision of a version begins with this, and so says what was done and by whom. */
export function withHistory(db: Database, entry: Insertable<Tables['version_history']> & { at: Date }) {
  return db.with('history', (query) => query.insertInto('version_history').values(entry))
}

/** SQL: when the version `v` was first said to be deprecated, of what has held since. */
export const saidDeprecated = sql<Date | null>`(
  select h.at from version_history h
  where h.version_id = v.id and h.action = ${sql.lit(deprecation)} and h.revision > coalesce((
    select max(u.revision) from version_history u where u.version_id = v.id and u.action = ${sql.lit(undeprecation)}), 0)
  order by h.revision limit 1)`

/** An entry of a history, with its user if that is known and still there. */
export interface HistoryRow {
  revision: number
  at: Date
  userId: string | null
  userName: string | null
  action: string
  fromState: string | null
  toState: string
  comment: string | null
}

/** Behind every revision of a history. */
export const newestRevision: Place = { key: '2147483647', id: leastId }

/** Reads a page of a version's history, from the newest revision to the first. */
export async function readHistory(db: Database, versionId: string, place: PlaceValues): Promise<Part<HistoryRow>> {
  const { key, skip, count } = place
  const { rows } = await sql<Placed & HistoryRow>`
    select h.version_id as id, h.revision::text as place, h.revision, h.at, h.user_id as "userId",
      u.user_name as "userName", h.action, h.from_state as "fromState", h.to_state as "toState", h.comment
    from version_history h left join app_user u on u.id = h.user_id
    where h.version_id = ${versionId} and h.revision < ${key}::integer
    order by h.revision desc offset ${skip} limit ${count + 1}`.execute(db)
  return partOf(rows, place)
}

import { type RawBuilder, sql } from 'kysely'
import { plannedForItsValues } from '../database/client.ts'
import type { Database } from '../database/tables.ts'
import { type Kind, kindsFor, type ListReader } from './readers.ts'

// Up to so many rows that are found are sorted; of more, the list is walked until it meets enough of them.
const few = 1000

/** The ids of the rows that meet a condition, apart for those that only a membership may let the caller read. */
export interface Found {
  /** Null where they are too many. */
  ids: string[] | null
  membersOnlyIds: string[] | null
}

/**
 * Finds rows by a query for those of one kind, which gives their id. Each kind has an index of its own or a stretch of
 * one, so that what many rows have is no hindrance to a caller who may read few of them. Planning takes longer than looking
 * up; `planned` once suits queries whose best plan is always the same.
 */
export async function find(
  db: Database,
  kinds: readonly Kind[],
  queries: readonly ((kind: Kind) => RawBuilder<unknown>)[],
  planned: 'once' | 'for its values' = 'for its values',
): Promise<Found> {
  const parts = queries.flatMap((query) =>
    kinds.map(
      (kind) =>
        sql`(select id, ${sql.lit(kind.membersOnly)} as members_only from (${query(kind)}) q limit ${sql.lit(few + 1)})`,
    ),
  )
  if (parts.length === 0) return { ids: [], membersOnlyIds: [] }
  const ids = (which: RawBuilder<unknown>) => sql`case when count(*) filter (where ${which}) <= ${sql.lit(few)}
    then coalesce(array_agg(distinct id) filter (where ${which}), '{}') end`
  const { rows } = await sql<Found>`${sql.raw(planned === 'once' ? '' : plannedForItsValues)}
    select ${ids(sql`not members_only`)} as ids, ${ids(sql`members_only`)} as "membersOnlyIds" from (${sql.join(parts, sql` union all `)}) found`.execute(
    db,
  )
  return rows[0] as Found
}

/** The kinds that differ in their audience, for an index that does not tell visibilities apart. */
export function audiencesFor(reader: ListReader): Kind[] {
  return kindsFor({ ...reader, visibility: null }, 'api')
}

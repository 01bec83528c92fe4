import { type RawBuilder, sql } from 'kysely'
import type { Caller, Reader } from '../access/caller.ts'
import { isReadable, mayRead } from '../access/entitlement.ts'
import type { Database, StoredVisibility } from '../database/tables.ts'

/** What a reader is told of a deprecated version. Ids are stored ones, times whole seconds. */
export interface Deprecation {
  versionId: string
  deprecated: Date
  sunset: Date | null
  /** Null also where the reader may not read the successor. */
  successorId: string | null
}

const epoch = (column: string) => sql`extract(epoch from ${sql.ref(column)})::bigint`

/**
 * SQL: what `readableDeprecation` reads, of the version `v`; null where it is not deprecated. One short column, as every
 * read of a version has it.
 */
export const deprecationColumn = sql<string | null>`case when v.deprecated is not null then
  concat_ws(' ', ${epoch('v.deprecated')}, coalesce(${epoch('v.sunset')}::text, '-'),
    case when v.successor_id is not null
      then concat_ws(' ', v.successor_id, v.successor_audience, v.successor_group_id) end) end`.as('deprecation')

/** What a caller who may read a version is told of its deprecation, by the column that a statement has selected. */
export async function readableDeprecation(
  db: Database,
  caller: Caller | null,
  versionId: string,
  column: string | null,
): Promise<Deprecation | null> {
  if (column === null) return null
  const [deprecated, sunset, successorId, audience, groupId] = column.split(' ')
  const isTold = groupId !== undefined && (await mayRead(db, caller, audience as StoredVisibility, groupId))
  return {
    versionId,
    deprecated: instant(Number(deprecated)),
    sunset: sunset === '-' ? null : instant(Number(sunset)),
    successorId: isTold ? (successorId as string) : null,
  }
}

function instant(seconds: number): Date {
  return new Date(seconds * 1000)
}

/** SQL: the successor of the version `v`, if there is one that somebody may read. */
export function readableSuccessor(reader: Reader): RawBuilder<string | null> {
  return sql<string | null>`case when v.successor_id is not null
    and ${isReadable(reader, 'v.successor_audience', 'v.successor_group_id')} then v.successor_id end`
}

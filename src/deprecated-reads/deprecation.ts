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

/** What statements that read a version `v` select, for `toldTo`. */
export const deprecationColumns = [
  'v.deprecated',
  'v.sunset',
  'v.successor_id as successorId',
  'v.successor_audience as successorAudience',
  'v.successor_group_id as successorGroupId',
] as const

/** All null where the version is not deprecated. */
export interface DeprecationColumns {
  deprecated: Date | null
  sunset: Date | null
  successorId: string | null
  successorAudience: StoredVisibility | null
  successorGroupId: string | null
}

/** What a caller who may read a version is told of its deprecation; null where it has none. */
export async function toldTo(
  db: Database,
  caller: Caller | null,
  versionId: string,
  { deprecated, sunset, successorId, successorAudience, successorGroupId }: DeprecationColumns,
): Promise<Deprecation | null> {
  if (!deprecated) return null
  const isTold =
    successorAudience !== null &&
    successorGroupId !== null &&
    (await mayRead(db, caller, successorAudience, successorGroupId))
  return { versionId, deprecated, sunset, successorId: isTold ? successorId : null }
}

/** SQL: the successor of the version `v`, if there is one that somebody may read. */
export function readableSuccessor(reader: Reader): RawBuilder<string | null> {
  return sql<string | null>`case when v.successor_id is not null
    and ${isReadable(reader, 'v.successor_audience', 'v.successor_group_id')} then v.successor_id end`
}

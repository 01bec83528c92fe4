import { sql } from 'kysely'
import { readableSuccessor } from '../deprecated-reads/deprecation.ts'
import type { ListedTable } from '../lists/listed.ts'
import { rowsReader } from '../lists/rows-reader.ts'
import type { Sort } from '../lists/sort.ts'
import type { DeprecationRow } from './store.ts'

/** A deprecation in a list, and when it was last changed. */
export interface ListedDeprecation extends DeprecationRow {
  changed: Date
}

export const newestDeprecationFirst: Sort = { by: 'deprecated', descending: true }

// Whoever may read a version is told, also where its state keeps it from other lists.
const deprecatedVersions: ListedTable = {
  name: 'api_version',
  audience: 'audience',
  columns: [],
  shown: (reader, { order, asText }) => sql`
    select p.id, ${asText('p.key')} as place, v.name, v.api_id as "apiId", a.name as "apiName", v.deprecated, v.sunset,
      ${readableSuccessor(reader)} as "successorId", v.deprecation_notes as notes, v.deprecation_changed as changed
    from page p join api_version v on v.id = p.id join api a on a.id = v.api_id
    ${order}`,
}

/** Reads deprecations of the versions of all APIs. */
export const readDeprecations = rowsReader<ListedDeprecation, object>(deprecatedVersions, {
  always: () => sql`t.deprecated is not null`,
})

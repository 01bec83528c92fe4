import { type RawBuilder, sql } from 'kysely'
import type { StoredVisibility } from '../database/tables.ts'
import { filteredRows } from '../lists/filters.ts'
import type { ListedTable } from '../lists/listed.ts'
import type { ListReader } from '../lists/readers.ts'
import type { SortSql } from '../lists/sort.ts'

// A page ends before its documents become longer than this; it has one at least.
const mostBytes = 8_388_608

/** A version in a list, with its document. */
export interface ListedVersion {
  id: string
  apiId: string
  apiName: string
  name: string
  visibility: StoredVisibility
  state: string
  created: Date
  doc: string
}

type Columns = Record<string, RawBuilder<unknown>>

/** The versions of APIs, as lists read them; `more` is SQL for further columns, of the version `v`. */
export function versionTable(more: (reader: ListReader) => Columns = () => ({})): ListedTable {
  return {
    name: 'api_version',
    audience: 'listing',
    columns: [],
    shown: (reader, sort) => shown(Object.entries(more(reader)), sort),
  }
}

function shown(more: [name: string, value: RawBuilder<unknown>][], { direction, order, asText }: SortSql) {
  const columns = sql.join(
    more.map(([name, value]) => sql`${value} as ${sql.ref(name)},`),
    sql` `,
  )
  const names = sql.join(
    more.map(([name]) => sql`${sql.ref(name)},`),
    sql` `,
  )
  return sql`
    select id, ${asText('key')} as place, sought, "apiId", "apiName", name, visibility, state, created, ${names} doc from (
      select p.id, p.key, count(*) over ()::integer as sought, v.api_id as "apiId", a.name as "apiName", v.name,
        v.visibility, v.state, v.created, ${columns} v.doc::text as doc, coalesce(sum(octet_length(v.doc::text)) over (
          order by p.key ${direction}, p.id ${direction} rows between unbounded preceding and 1 preceding), 0) as before
      from page p join api_version v on v.id = p.id join api a on a.id = v.api_id
    ) s where before < ${sql.lit(mostBytes)} ${order}`
}

/** Reads versions of all APIs. */
export const readVersions = filteredRows<ListedVersion>(
  versionTable(),
  ({ state }) => sql`(${state}::text is null or t.state = ${state}::text)`,
)

import { sql } from 'kysely'
import type { StoredVisibility } from '../database/tables.ts'
import { filteredRows } from '../lists/filters.ts'
import type { ListedTable } from '../lists/listed.ts'

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

/** The versions of APIs, as lists read them. */
export const listedVersions: ListedTable = {
  name: 'api_version',
  audience: 'listing',
  columns: [],
  shown: (_values, { direction, order, asText }) => sql`
    select id, ${asText('key')} as place, sought, "apiId", "apiName", name, visibility, state, created, doc from (
      select p.id, p.key, count(*) over ()::integer as sought, v.api_id as "apiId", a.name as "apiName", v.name,
        v.visibility, v.state, v.created, v.doc::text as doc, coalesce(sum(octet_length(v.doc::text)) over (
          order by p.key ${direction}, p.id ${direction} rows between unbounded preceding and 1 preceding), 0) as before
      from page p join api_version v on v.id = p.id join api a on a.id = v.api_id
    ) s where before < ${sql.lit(mostBytes)} ${order}`,
}

/** Reads versions of all APIs. */
export const readVersions = filteredRows<ListedVersion>(
  listedVersions,
  ({ state }) => sql`(${state}::text is null or t.state = ${state}::text)`,
)

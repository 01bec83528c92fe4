import { sql } from 'kysely'
import type { StoredVisibility } from '../database/tables.ts'
import { filteredRows } from '../lists/filters.ts'
import type { ListedTable } from '../lists/listed.ts'
import { shownVersion } from './shown-version.ts'

/** An API in a list. What is said of its latest version, of those that lists show the caller, is null where there is none. */
export interface ListedApi {
  id: string
  name: string
  description: string | null
  visibility: StoredVisibility
  created: Date
  latestId: string | null
  latestName: string | null
  state: string | null
}

/** The APIs, as lists and search read them. */
export const listedApis: ListedTable = {
  name: 'api',
  audience: 'visibility',
  columns: ['name', 'description', 'visibility', 'created', 'latest_version_id'],
  shown: (values, { direction, order, asText }) => sql`
    select p.id, case row_number() over (order by p.key ${direction}, p.id ${direction})
        when ${values.count}::integer then ${asText('p.key')} end as place,
      p.name, p.description, p.visibility, p.created, v.id as "latestId", v.name as "latestName", v.state
    from page p left join lateral ${shownVersion(values, 'p', sql`v.id, v.name, v.state`)} v on true
    ${order}`,
}

/** Reads APIs. The state of one is that of the version that is shown of it. */
export const readApis = filteredRows<ListedApi>(
  listedApis,
  (values) => sql`(${values.state}::text is null or exists (
    select from ${shownVersion(values, 't', sql`v.state`)} v where v.state = ${values.state}::text offset 0))`,
)

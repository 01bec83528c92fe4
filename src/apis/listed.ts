import { sql } from 'kysely'
import { versionListed } from '../api-versions/permission.ts'
import type { StoredVisibility } from '../database/tables.ts'
import { filteredRows } from '../lists/filters.ts'
import type { ListedTable } from '../lists/listed.ts'

/** An API in a list. What is said of its latest version is null where the caller may not read that. */
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
  shown: (
    reader,
    { order, asText },
  ) => sql`select p.id, ${asText('p.key')} as place, p.name, p.description, p.visibility, p.created,
      v.id as "latestId", v.name as "latestName", v.state
    from page p left join api_version v on v.id = p.latest_version_id and ${versionListed(reader)}
    ${order}`,
}

/** Reads APIs. The state of one is that of its latest version. */
export const readApis = filteredRows<ListedApi>(
  listedApis,
  (values) => sql`(${values.state}::text is null or exists (select from api_version v
    where v.id = t.latest_version_id and v.state = ${values.state}::text and ${versionListed(values)} offset 0))`,
)

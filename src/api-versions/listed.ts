import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { StoredVisibility } from '../database/tables.ts'
import { filteredRows } from '../lists/filters.ts'
import type { ListedTable } from '../lists/listed.ts'
import type { ListReader } from '../lists/readers.ts'
import type { SortSql } from '../lists/sort.ts'
import type { endpoints } from './schemas.ts'

// How many bytes of documents a page has at most, and how many PostgreSQL looks into for a part of them; it has a version
// at least.
const mostAnswered = 4_194_304
const mostLookedInto = 33_554_432

/** A version in a list, with what a channel shows of its document. */
export interface ListedVersion {
  id: string
  apiId: string
  apiName: string
  name: string
  visibility: StoredVisibility
  state: string
  created: Date
  description: string | null
  endpoints: Static<typeof endpoints>
}

type Columns = Record<string, RawBuilder<unknown>>

const columns: Columns = {
  apiId: sql`v.api_id`,
  apiName: sql`a.name`,
  name: sql`v.name`,
  visibility: sql`v.visibility`,
  state: sql`v.state`,
  created: sql`v.created`,
}

/** The versions of APIs, as channels show them; `more` is SQL for further columns, of the version `v`. */
export function versionTable(more: (reader: ListReader) => Columns = () => ({})): ListedTable {
  return table((reader, sort) => {
    const all = Object.entries({ ...columns, ...more(reader) })
    const names = sql.join(['id', 'key', 'sought', ...all.map(([name]) => name)].map((name) => sql.ref(name)))
    const read = upTo(mostLookedInto, sql`octet_length(doc::text)`, versionsOfPage(all), sort)
    // Not by operators: each would look into the whole document again.
    const shown = sql`select ${names}, "Description" as description, "Endpoints" as endpoints
      from (${read}) r cross join lateral json_to_record(doc) d ("Description" text, "Endpoints" json)`
    const bytes = sql`octet_length(concat(description, endpoints))`
    return sql`select ${names}, description, endpoints, ${sort.asText('key')} as place
      from (${upTo(mostAnswered, bytes, shown, sort)}) s ${sort.order}`
  })
}

const documentTable = table((_reader, sort) => {
  const read = upTo(mostAnswered, sql`octet_length(doc::text)`, versionsOfPage([]), sort)
  return sql`select id, sought, doc::text as doc, ${sort.asText('key')} as place from (${read}) s ${sort.order}`
})

function table(shown: ListedTable['shown']): ListedTable {
  return { name: 'api_version', audience: 'listing', columns: [], shown }
}

function versionsOfPage(columns: [name: string, value: RawBuilder<unknown>][]): RawBuilder<unknown> {
  const named = columns.map(([name, value]) => sql`, ${value} as ${sql.ref(name)}`)
  return sql`select p.id, p.key, count(*) over ()::integer as sought, v.doc ${sql.join(named, sql``)}
    from page p join api_version v on v.id = p.id join api a on a.id = v.api_id`
}

/** SQL: the first of some rows, as many as have so many bytes together, but one at least. */
function upTo(most: number, bytes: RawBuilder<unknown>, rows: RawBuilder<unknown>, { direction }: SortSql) {
  return sql`select * from (
      select u.*, row_number() over so_far as nth, sum(${bytes}) over so_far as total from (${rows}) u
      window so_far as (order by key ${direction}, id ${direction} rows unbounded preceding)) m
    where nth = 1 or total <= ${sql.lit(most)}`
}

const inState = ({ state }: { state: string | null }) =>
  sql<boolean>`(${state}::text is null or t.state = ${state}::text)`

/** Reads versions of all APIs. */
export const readVersions = filteredRows<ListedVersion>(versionTable(), inState)

/** Reads the documents of versions of all APIs. */
export const readDocuments = filteredRows<{ doc: string }>(documentTable, inState)

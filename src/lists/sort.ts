import { type RawBuilder, sql } from 'kysely'

/** What callers may have a list sorted by, the usual one first. */
export const sortKeys = ['created', 'updated', 'name'] as const

/** What a list is sorted by; rows of one key stand in the order of their ids. */
export interface Sort {
  by: (typeof sortKeys)[number] | 'deprecated'
  descending: boolean
}

/** A place in a sorted list: that of a row, between those before and those behind it. */
export interface Place {
  /** The row's sort key, as text that loses nothing. */
  key: string
  id: string
  /** Whether the reader may not know of that row. */
  isHidden?: boolean
}

export const leastId = '00000000-0000-0000-0000-000000000000'
const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const greatestCharacter = 0x10ffff
// More than a name has, also when lower case makes it longer.
const longestName = 512
const greatestName = String.fromCodePoint(greatestCharacter).repeat(longestName)

/** SQL: the text behind all names that begin like this one. */
export function behindNames(beginning: RawBuilder<unknown>): RawBuilder<string> {
  return sql`(${beginning} || repeat(chr(${sql.lit(greatestCharacter)}), ${sql.lit(longestName)}))`
}

/** Before the first of rows that run from a to z by a name. */
export const firstByName: Place = { key: '', id: leastId }

/** The places before the first row and behind the last. */
export function endsOf({ by, descending }: Sort): { start: Place; end: Place } {
  const least = { key: by === 'name' ? firstByName.key : '-infinity', id: leastId }
  const greatest = { key: by === 'name' ? greatestName : 'infinity', id: greatestId }
  return descending ? { start: greatest, end: least } : { start: least, end: greatest }
}

/** What a sort decides in SQL, for rows `t` with the column that it sorts by. */
export interface SortSql {
  key: RawBuilder<unknown>
  direction: RawBuilder<unknown>
  /** A place as two values of a row. */
  place: (key: unknown, id: unknown) => RawBuilder<unknown>
  /** Whether `t` stands behind a place, or at the latest there. */
  isBehind: (key: unknown, id: unknown) => RawBuilder<boolean>
  isUpTo: (key: unknown, id: unknown) => RawBuilder<boolean>
  /** The order of rows that have the columns `key` and `id`. */
  order: RawBuilder<unknown>
  /** The column `key` as the text of a place. */
  asText: (column: string) => RawBuilder<string>
}

export function sortSql({ by, descending }: Sort): SortSql {
  const key = by === 'name' ? sql`t.sort_name` : sql.ref(`t.${by}`)
  const type = by === 'name' ? sql`text collate "C"` : sql`timestamptz`
  const place = (text: unknown, id: unknown) => sql`${text}::${type}, ${id}::uuid`
  const direction = descending ? sql`desc` : sql`asc`
  return {
    key,
    direction,
    place,
    isBehind: (text, id) => sql`(${key}, t.id) ${descending ? sql`<` : sql`>`} (${place(text, id)})`,
    isUpTo: (text, id) => sql`(${key}, t.id) ${descending ? sql`>=` : sql`<=`} (${place(text, id)})`,
    order: sql`order by key ${direction}, id ${direction}`,
    asText: (column) => sql`${sql.ref(column)}::text`,
  }
}

import type { RawBuilder } from 'kysely'
import type { Database } from '../database/tables.ts'
import type { Found } from './find.ts'
import type { Fragments } from './fragments.ts'
import type { ListReader } from './readers.ts'
import type { SortSql } from './sort.ts'

/** A table whose rows are listed. In SQL such a row is `t`, and one that is to be shown is `p` (id, key, columns). */
export interface ListedTable {
  name: 'api' | 'api_version'
  /** The column that says who reads a row without being a member of its admin group. */
  audience: 'visibility' | 'listing' | 'audience'
  /** The columns of it that `page` has, beside `id` and `key`. */
  columns: readonly string[]
  /**
   * The query for what is shown of the rows of `page as p`, in the order of the list: `id`, `place` and the members of the
   * answer's rows; and, if it leaves out some of the page, as `sought` how many that has. Only the row that may end the
   * page needs its place.
   */
  shown: (values: ListReader & PlaceValues, sort: SortSql) => RawBuilder<unknown>
}

/** What the rows of a list have in common, beside that the caller may read them; `Values` is what it depends on. */
export interface Condition<Values> {
  /** SQL: whether `t` meets what most rows meet. */
  always?: (values: ListReader & Values) => RawBuilder<boolean>
  /** What perhaps few rows meet: the search for them by an index, and SQL that says whether `t` is among them. */
  selective?: {
    find: (db: Database, reader: ListReader, values: Values) => Promise<Found>
    holds: (values: ListReader & Values) => RawBuilder<boolean>
  }
  /** The query for the rows, where there is a shorter way to them than the usual ones. */
  source?: (fragments: Fragments, values: ListReader & Values) => RawBuilder<unknown>
}

/** Which page of a list is read. */
export interface PlaceValues {
  /** The place behind which it begins. */
  key: string
  id: string
  skip: number
  count: number
}

/** What leads to the rows of a page: groups to go from, and rows that were found. */
export interface SourceValues {
  fromGroups: string[]
  ids: string[]
  membersOnlyIds: string[]
  /** Where walking ends, if there has to be an end. */
  reachedKey: string
  reachedId: string
}

export type PageValues = ListReader & PlaceValues & SourceValues

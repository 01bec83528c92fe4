import { type RawBuilder, sql } from 'kysely'
import { audiencesFor, find } from './find.ts'
import { tagQuery } from './lexemes.ts'
import type { ListedTable } from './listed.ts'
import { type Kind, kindsFor, type ListReader } from './readers.ts'
import { rowsReader } from './rows-reader.ts'
import { behindNames } from './sort.ts'

/** What narrows a list; null where it does not. */
export interface Filters {
  /** The beginning of the name, in any case. */
  beginning: string | null
  /** A tsquery for the tag. */
  tag: string | null
  state: string | null
}

/** The query parameters that `readFilters` reads. */
export interface FilterParameters {
  name?: string
  tag?: string
  state?: string
}

export function readFilters({ name, tag, state }: FilterParameters): Filters {
  return { beginning: name || null, tag: tag ? tagQuery(tag) : null, state: state || null }
}

/** Makes the reader of a list that may be filtered; `hasState` is SQL for whether `t` is in the state, if one is given. */
export function filteredRows<Row>(
  table: ListedTable,
  hasState: (values: ListReader & Filters) => RawBuilder<boolean>,
): ReturnType<typeof rowsReader<Row, Filters>> {
  const all = rowsReader<Row, Filters>(table, {})
  const inState = rowsReader<Row, Filters>(table, { always: hasState })
  const tagged = rowsReader<Row, Filters>(table, {
    always: (values) => sql`${hasState(values)} and ${isNamed(values)}`,
    selective: {
      find: (db, reader, { tag }) => find(db, audiencesFor(reader), [(kind) => taggedRows(table, kind, tag)]),
      holds: ({ tag }) => sql`t.search @@ ${tag}::tsquery`,
    },
  })
  const named = rowsReader<Row, Filters>(table, {
    always: hasState,
    selective: {
      find: (db, reader, values) => find(db, kindsFor(reader, table.name), [(kind) => namedRows(table, kind, values)]),
      holds: isNamed,
    },
  })
  // Sorted by name, the index of the sort leads to the names.
  const range = rowsReader<Row, Filters>(table, {
    always: (values) => sql`${hasState(values)} and ${isInRange(values)}`,
  })

  return (db, sort, reader, filters, place) => {
    const { tag, beginning, state } = filters
    const unnamed = state === null ? all : inState
    const read = tag !== null ? tagged : beginning === null ? unnamed : sort.by === 'name' ? range : named
    return read(db, sort, reader, filters, place)
  }
}

function taggedRows({ name, audience }: ListedTable, kind: Kind, tag: string | null): RawBuilder<unknown> {
  return sql`select t.id from ${sql.table(name)} t
    where ${sql.ref(`t.${audience}`)} = ${sql.lit(kind.audience)} and t.search @@ ${tag}::tsquery`
}

function namedRows({ name, audience }: ListedTable, kind: Kind, filters: Filters): RawBuilder<unknown> {
  return sql`select t.id from ${sql.table(name)} t where ${sql.ref(`t.${audience}`)} = ${sql.lit(kind.audience)}
    and t.visibility = ${sql.lit(kind.visibility)} and ${isInRange(filters)}`
}

/** SQL: whether the name of `t` begins as it should, if it should. */
export function isNamed({ beginning }: Filters): RawBuilder<boolean> {
  return sql`(${beginning}::text is null or starts_with(t.sort_name, lower(${beginning}::text)))`
}

function isInRange({ beginning }: Filters): RawBuilder<boolean> {
  const lowered = sql`lower(${beginning}::text)`
  return sql`t.sort_name >= ${lowered} and t.sort_name <= ${behindNames(lowered)}`
}

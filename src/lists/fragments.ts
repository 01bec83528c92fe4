import { type RawBuilder, sql } from 'kysely'
import type { Condition, ListedTable, PageValues } from './listed.ts'
import { type Sort, sortSql } from './sort.ts'

/** Which of the statements for a list is meant. */
export interface Way {
  /** Whether rows are skipped. */
  isDeep: boolean
  /** One more than the page may show: a number that stands in the statement lets PostgreSQL plan it once for all values. */
  enough: number
  /** Whether rows under a selective condition are walked, so far that there has to be an end. */
  isBounded: boolean
  /** How the rows are come by that only a membership may let the caller read, if at all. */
  mine: 'from groups' | 'walked' | 'not'
}

/** The SQL that the sources of a page's rows share. */
export type Fragments = ReturnType<typeof fragments>

export function fragments<Values>(
  table: ListedTable,
  sort: Sort,
  { always, selective }: Condition<Values>,
  { isBounded, isDeep, enough }: Way,
  values: PageValues & Values,
) {
  const { key, direction, order: outerOrder, isBehind, isUpTo, place } = sortSql(sort)
  const behind = isBehind(values.key, values.id)
  const isReached = isBounded ? isUpTo(values.reachedKey, values.reachedId) : sql`true`
  return {
    place,
    behind,
    isApi: table.name === 'api',
    table: sql.table(table.name),
    rows: sql`select ${sql.join([sql`t.id, ${key} as key`, ...table.columns.map((column) => sql.ref(`t.${column}`))])}`,
    order: sql`order by ${key} ${direction}, t.id ${direction}`,
    outerOrder,
    /** The rows to skip, those to show, and at least one that tells whether there are more. */
    sought: isDeep || isBounded ? sql`${values.skip}::integer + ${values.count}::integer + 1` : sql.lit(enough),
    isVisible: sql<boolean>`${sql.ref(`t.${table.audience}`)} = any(${values.visible}::text[])`,
    isOfVisibility: sql<boolean>`(${values.visibility}::text is null or t.visibility = ${values.visibility}::text)`,
    // OFFSET 0 keeps it one look-up by index for each row, however many memberships are expected.
    isMember: sql<boolean>`exists (select from group_member m
      where m.group_id = t.admin_group_id and m.user_id = ${values.userId}::uuid offset 0)`,
    /** Behind the page's start, not behind where looking ends, and as it always has to be. */
    isWanted: sql<boolean>`${behind} and ${isReached} and ${always?.(values) ?? sql`true`}`,
    holds: selective?.holds(values) ?? sql<boolean>`true`,
    kinds: kinds(table, values.audiences, values.visibilities),
    mineKinds: kinds(table, values.mineAudiences, values.mineVisibilities),
    isOfKind:
      table.name === 'api'
        ? sql<boolean>`t.visibility = c.audience`
        : sql<boolean>`${sql.ref(`t.${table.audience}`)} = c.audience and t.visibility = c.visibility`,
  }
}

/** As many rows as there may be kinds, the others null: so their number is known when the statement is planned. */
function kinds({ name }: ListedTable, audiences: unknown, visibilities: unknown): RawBuilder<unknown> {
  const rows = (name === 'api' ? [1, 2, 3] : [1, 2, 3, 4, 5, 6]).map(
    (place) => sql`(k.audiences[${sql.lit(place)}], k.visibilities[${sql.lit(place)}])`,
  )
  return sql`(select ${audiences}::text[] as audiences, ${visibilities}::text[] as visibilities) k
    cross join lateral (values ${sql.join(rows)}) c (audience, visibility)`
}

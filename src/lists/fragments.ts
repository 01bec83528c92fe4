import { sql } from 'kysely'
import type { Condition, ListedTable, PageValues } from './listed.ts'
import type { Kind } from './readers.ts'
import { type Sort, sortSql } from './sort.ts'

/** How a page of a list is found; each plan has statements of its own. */
export interface PagePlan {
  /** Whether rows are skipped. */
  isDeep: boolean
  /** One more than the page may show: a number that stands in the statement lets PostgreSQL plan it once for all values. */
  enough: number
  /** Whether rows under a selective condition are walked, so far that there has to be an end. */
  isBounded: boolean
  /** The kinds of rows that are walked. As literals: then PostgreSQL merges what each gives, and sorts nothing. */
  walked: readonly Kind[]
  /** Whether rows that only a membership may let the caller read are come by from groups. */
  isFromGroups: boolean
}

/** The SQL that the sources of a page's rows share. */
export type Fragments = ReturnType<typeof fragments>

export function fragments<Values>(
  table: ListedTable,
  sort: Sort,
  { always, selective }: Condition<Values>,
  { isBounded, isDeep, enough }: PagePlan,
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
    // OFFSET 0 keeps PostgreSQL from making a join of it: one look-up by index for each row.
    isMember: sql<boolean>`exists (select from group_member m
      where m.group_id = t.admin_group_id and m.user_id = ${values.userId}::uuid offset 0)`,
    /** Behind the page's start, not behind where looking ends, and as it always has to be. */
    isWanted: sql<boolean>`${behind} and ${isReached} and ${always?.(values) ?? sql`true`}`,
    holds: selective?.holds(values) ?? sql<boolean>`true`,
    isOf: ({ audience, visibility }: Kind) => {
      const isOfVisibility = sql<boolean>`t.visibility = ${sql.lit(visibility)}`
      if (table.audience === 'visibility') return isOfVisibility
      return sql<boolean>`${sql.ref(`t.${table.audience}`)} = ${sql.lit(audience)} and ${isOfVisibility}`
    },
  }
}

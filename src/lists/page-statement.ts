import { type RawBuilder, sql } from 'kysely'
import { preparedSql } from '../database/prepared.ts'
import type { Database } from '../database/tables.ts'
import { type Fragments, fragments, type PagePlan } from './fragments.ts'
import type { Condition, ListedTable, PageValues } from './listed.ts'
import type { Placed } from './page.ts'
import { foundRows, fromGroups, nothing, reached, walk } from './row-sources.ts'
import { endsOf, type Sort, sortSql } from './sort.ts'

type Statement<Row, Values> = (db: Database, values: Values) => Promise<Row[]>

/** The statements for one plan of the pages of a list; each is compiled once. */
export interface PageStatements<Row, Values> {
  /** The rows of a page, and one more if there is one. `sought`, if it is there, says how many these are. */
  rows: Statement<Placed & Row & { sought?: number }, Values>
  /** Counts the rows to skip, where there are not so many. */
  skipped: Statement<{ found: number }, Values>
  /** Where walking ends. */
  reached: Statement<{ key: string; id: string; isEnd: boolean }, Values>
}

export function pageStatements<Row, Values>(
  table: ListedTable,
  sort: Sort,
  condition: Condition<Values>,
  plan: PagePlan,
): PageStatements<Row, PageValues & Values> {
  type All = PageValues & Values
  const order = sortSql(sort)
  const statement = <Result>(build: (f: Fragments, values: All) => RawBuilder<Result>) =>
    preparedSql((values: All) => build(fragments(table, sort, condition, plan, values), values))
  return {
    rows: statement(
      (f, values) => sql`
        with page as (${sought(f, condition, plan, values)} offset ${values.skip} limit ${values.count}::integer + 1)
        ${table.shown(values, order)}`,
    ),
    skipped: statement(
      (f, values) => sql`
        select count(*)::integer as found from (${sought(f, condition, plan, values)} limit ${values.skip}) s`,
    ),
    reached: statement(
      (f) => sql`
        select ${order.asText('key')} as key, id, is_end as "isEnd" from (${reached(f, plan.walked, endsOf(sort).end)}) r`,
    ),
  }
}

/** The rows that are sought, in the list's order. */
function sought<Values>(
  f: Fragments,
  condition: Condition<Values>,
  plan: PagePlan,
  values: PageValues & Values,
): RawBuilder<unknown> {
  const from = condition.source ? [condition.source(f, values)] : sources(f, condition, plan, values)
  // Those from groups and those that were found may stand among the others too, or twice.
  const distinct = plan.isFromGroups || condition.selective ? sql`distinct on (key, id)` : sql``
  return sql`select ${distinct} r.* from (${sql.join(from, sql` union all `)}) r ${f.outerOrder}`
}

function sources<Values>(
  f: Fragments,
  { selective }: Condition<Values>,
  { walked, isFromGroups }: PagePlan,
  values: PageValues & Values,
): RawBuilder<unknown>[] {
  const from = [
    ...walked.map((kind) => walk(f, kind)),
    ...(isFromGroups ? [fromGroups(f, values)] : []),
    ...(selective ? [foundRows(f, values)] : []),
  ]
  return from.length > 0 ? from : [nothing(f)]
}

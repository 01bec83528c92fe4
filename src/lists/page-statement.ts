import { type Compilable, type RawBuilder, sql } from 'kysely'
import { prepared } from '../database/prepared.ts'
import type { Database } from '../database/tables.ts'
import { type Fragments, fragments, type Way } from './fragments.ts'
import type { Condition, ListedTable, PageValues } from './listed.ts'
import { foundRows, fromGroups, reached, walk, walkMine } from './row-sources.ts'
import { endsOf, type Sort, sortSql } from './sort.ts'

/** A row of the answer; without `id` when there is nothing to show but what stands in every row. */
export interface PageRow {
  id: string | null
  place: string
  /** How many rows there were, of those skipped, those shown and perhaps some more. */
  found: number
  /** Where walking ended, unless that is the end of the list. */
  reachedKey: string | null
  reachedId: string | null
}

/** Makes the statement that reads one page of a list; it is compiled once. */
export function pageStatement<Row, Values>(
  table: ListedTable,
  sort: Sort,
  condition: Condition<Values>,
  way: Way,
): (db: Database, values: PageValues & Values) => Promise<(PageRow & Row)[]> {
  return prepared(
    (db, values: PageValues & Values): Compilable<PageRow & Row> => ({
      compile: () => pageSql<Row, Values>(table, sort, condition, way, values).compile(db),
    }),
  )
}

function pageSql<Row, Values>(
  table: ListedTable,
  sort: Sort,
  condition: Condition<Values>,
  way: Way,
  values: PageValues & Values,
): RawBuilder<PageRow & Row> {
  const f = fragments(table, sort, condition, way, values)
  const { asText, direction } = sortSql(sort)
  const from = condition.source ? [condition.source(f, values)] : sources(f, condition, way, values)
  // Rows that were found may stand among the others too, or twice.
  const distinct = from.length > 1 || condition.selective ? sql`distinct` : sql``
  const stop = way.isBounded
    ? sql`(select ${asText(sql`key`)} as "reachedKey", id as "reachedId" from reached where not is_end)`
    : sql`(select null as "reachedKey", null as "reachedId")`
  return sql`
    with ${way.isBounded ? sql`reached as materialized (${reached(f, endsOf(sort).end)}),` : sql``}
    sought as materialized (select ${distinct} id, key from (${sql.join(from, sql` union all `)}) r ${f.outerOrder} limit ${f.sought}),
    page as (select id, key from sought ${f.outerOrder} offset ${values.skip} limit ${values.count})
    select b.found, e.*, d.*, ${asText(sql`d.key`)} as place
    from (select count(*)::integer as found from sought) b
    left join ${stop} e on true
    left join lateral (${table.shown(values, sort)}) d on true
    order by d.key ${direction}, d.id ${direction}`
}

function sources<Values>(
  f: Fragments,
  { selective }: Condition<Values>,
  { isBounded, mine }: Way,
  values: PageValues & Values,
): RawBuilder<unknown>[] {
  return [
    ...(selective && !isBounded ? [] : [walk(f)]),
    ...(mine === 'walked' ? [walkMine(f)] : mine === 'from groups' ? [fromGroups(f, values)] : []),
    ...(selective ? [foundRows(f, values)] : []),
  ]
}

import { type RawBuilder, sql } from 'kysely'
import type { Fragments } from './fragments.ts'
import type { PageValues } from './listed.ts'
import type { Place } from './sort.ts'

// Of each kind so many rows are walked at most; the client goes on from there.
const stretch = 5000

/** Walks the index of the sort, once for each kind of rows, until there are enough. */
export function walk(f: Fragments): RawBuilder<unknown> {
  return sql`select r.* from ${f.kinds} cross join lateral (
    ${f.rows} from ${f.table} t where ${f.isOfKind} and ${f.isWanted} and ${f.holds} ${f.order} limit ${f.sought}) r`
}

/** The same for the kinds of which only a membership may let the caller read a row. */
export function walkMine(f: Fragments): RawBuilder<unknown> {
  return sql`select r.* from ${f.mineKinds} cross join lateral (
    ${f.rows} from ${f.table} t where ${f.isOfKind} and ${f.isWanted} and ${f.holds} and ${f.isMember}
    ${f.order} limit ${f.sought}) r`
}

/** Where walking ends, as the query for one row (key, id, is_end): behind the stretch that ends first, else at `end`. */
export function reached(f: Fragments, end: Place): RawBuilder<unknown> {
  return sql`select * from (
      select r.id, r.key, false as is_end
      from (select c.* from ${f.kinds} union all select c.* from ${f.mineKinds}) c cross join lateral (
        ${f.rows} from ${f.table} t where ${f.isOfKind} and ${f.behind} ${f.order} offset ${sql.lit(stretch)} limit 1) r
      union all
      select id, key, true from (values (${f.place(sql.lit(end.key), sql.lit(end.id))})) as e (key, id)
    ) s ${f.outerOrder} limit 1`
}

/** Goes from groups to the rows that their members administer. */
export function fromGroups(f: Fragments, values: PageValues): RawBuilder<unknown> {
  const administered = f.isApi
    ? sql`select x.* from api x where x.admin_group_id = g.id`
    : sql`select x.* from api a join api_version x on x.api_id = a.id where a.admin_group_id = g.id`
  return sql`(${f.rows} from unnest(${values.fromGroups}::uuid[]) as g (id) cross join lateral (${administered} offset 0) t
    where ${f.isOfVisibility} and ${f.isWanted} and ${f.holds} and ${f.isMember}
    ${f.order} limit ${f.sought})`
}

/** Rows that were found before. */
export function foundRows(f: Fragments, { ids, mineIds }: PageValues): RawBuilder<unknown> {
  return sql`${f.rows} from (
      select unnest(${ids}::uuid[]) as id, false as mine union all select unnest(${mineIds}::uuid[]), true) d
    cross join lateral (select * from ${f.table} where id = d.id offset 0) t
    where ${f.isOfVisibility} and ${f.isWanted} and case when d.mine then ${f.isMember} else ${f.isVisible} end`
}

import { type RawBuilder, sql } from 'kysely'
import type { Fragments } from './fragments.ts'
import type { PageValues } from './listed.ts'
import type { Kind } from './readers.ts'
import type { Place } from './sort.ts'

// Of each kind so many rows are walked at most; the client goes on from there.
const stretch = 5000

/** Walks the index of the sort for the rows of a kind, until there are enough. */
export function walk(f: Fragments, kind: Kind): RawBuilder<unknown> {
  return sql`(${f.rows} from ${f.table} t where ${f.isOf(kind)} and ${f.isWanted} and ${f.holds}
    and ${kind.membersOnly ? f.isMember : sql`true`} ${f.order} limit ${f.sought})`
}

/** No rows, where there is no kind that the caller may read. */
export function nothing(f: Fragments): RawBuilder<unknown> {
  return sql`(${f.rows} from ${f.table} t where false)`
}

/** Where walking ends, as the query for one row (key, id, is_end): behind the stretch that ends first, else at `end`. */
export function reached(f: Fragments, kinds: readonly Kind[], end: Place): RawBuilder<unknown> {
  const ends = kinds.map(
    (kind) => sql`select id, key, false as is_end from (
      ${f.rows} from ${f.table} t where ${f.isOf(kind)} and ${f.behind} ${f.order} offset ${sql.lit(stretch)} limit 1) r`,
  )
  const last = sql`select id, key, true as is_end from (values (${f.place(sql.lit(end.key), sql.lit(end.id))})) as e (key, id)`
  return sql`select * from (${sql.join([...ends, last], sql` union all `)}) s ${f.outerOrder} limit 1`
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
export function foundRows(f: Fragments, { ids, membersOnlyIds }: PageValues): RawBuilder<unknown> {
  return sql`${f.rows} from (
      select unnest(${ids}::uuid[]) as id, false as members_only union all select unnest(${membersOnlyIds}::uuid[]), true) d
    cross join lateral (select * from ${f.table} where id = d.id offset 0) t
    where ${f.isOfVisibility} and ${f.isWanted} and case when d.members_only then ${f.isMember} else ${f.isVisible} end`
}

import { sql } from 'kysely'
import type { Database } from '../database/tables.ts'
import type { PlaceValues } from '../lists/listed.ts'
import type { PageRow } from '../lists/page-statement.ts'

export interface PolicyRow {
  id: string
  type: string
  name: string
  description: string
  created: Date
}

/** Reads a page of the policies, of one type if it is given, by their names. */
export async function readPolicies(
  db: Database,
  type: string | null,
  { key, id, skip, count }: PlaceValues,
): Promise<(PageRow & PolicyRow)[]> {
  const { rows } = await sql<PageRow & PolicyRow>`
    with sought as materialized (
      select id, sort_name from policy
      where (${type}::text is null or type = ${type}::text) and (sort_name, id) > (${key}::text, ${id}::uuid)
      order by sort_name, id limit ${skip}::integer + ${count}::integer + 1),
    page as (select id from sought order by sort_name, id offset ${skip} limit ${count})
    select b.found, null as "reachedKey", null as "reachedId", p.*, p.sort_name as place
    from (select count(*)::integer as found from sought) b
    left join (page join policy p using (id)) on true
    order by p.sort_name, p.id`.execute(db)
  return rows
}

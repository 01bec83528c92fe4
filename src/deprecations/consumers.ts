import { sql } from 'kysely'
import type { Database } from '../database/tables.ts'
import { firstKeptDay, today } from '../deprecated-reads/store.ts'
import type { PlaceValues } from '../lists/listed.ts'
import { type Part, type Placed, partOf } from '../lists/page.ts'

/** Who has read a version: a user, or else what a program calls itself. `last` is a day. */
export interface ConsumerRow {
  userId: string | null
  userName: string | null
  agent: string | null
  last: string
  recent: number
  total: number
}

const recentDays = 30
// Where a version has more counts than this, the older ones are left out.
const mostCounts = 50_000

/** Reads a page of the consumers of a version, those who have read it last first. */
export async function readConsumers(db: Database, versionId: string, place: PlaceValues): Promise<Part<ConsumerRow>> {
  const { key, id, skip, count } = place
  const { rows } = await sql<Placed & ConsumerRow>`
    with consumer as materialized (
      select user_id, agent, coalesce(user_id, md5(agent)::uuid) as id, max(day) as last, sum(reads)::float8 as total,
        coalesce(sum(reads) filter (where day > ${today} - ${recentDays}::integer), 0)::float8 as recent
      from (select * from version_reads where version_id = ${versionId} and day >= ${firstKeptDay}
        order by day desc limit ${mostCounts}) newest
      group by user_id, agent)
    select c.id, c.last::text as place, c.user_id as "userId", u.user_name as "userName", c.agent, c.last::text as last,
      c.recent, c.total
    from consumer c left join app_user u on u.id = c.user_id
    where (c.last, c.id) < (${key}::date, ${id}::uuid)
    order by c.last desc, c.id desc offset ${skip} limit ${count + 1}`.execute(db)
  return partOf(rows, place)
}

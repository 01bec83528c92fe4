import { sql } from 'kysely'
import type { Database } from '../database/tables.ts'
import { mostAgents, otherAgents, type Reads } from './counter.ts'

/** SQL: the day, everywhere on earth the same one. */
export const today = sql<string>`(now() at time zone 'UTC')::date`

/**
 * Adds counts to those of today. Never waits for who changes or removes a version: it writes nothing of versions that are
 * locked, and returns their ids for another time. What was counted of versions that are gone is dropped. All write in one
 * order, so that nobody waits in a circle.
 */
export async function addReads(db: Database, counted: readonly Reads[]): Promise<Set<string>> {
  const column = (key: keyof Reads) => counted.map((each) => each[key])
  const { rows } = await sql<{ id: string }>`
    with sent as materialized (
      select * from unnest(${column('versionId')}::uuid[], ${column('userId')}::uuid[], ${column('agent')}::text[],
        ${column('reads')}::bigint[]) s (version_id, user_id, agent, reads)),
    free as materialized (
      select id from api_version where id in (select version_id from sent) for key share skip locked),
    known as materialized (
      select f.id, (select count(r.agent) from version_reads r where r.version_id = f.id and r.day = ${today}) as agents
      from free f),
    placed as (
      select s.*, r.agent is not null as is_there,
        row_number() over (partition by s.version_id, s.agent is null, r.agent is not null order by s.agent) as place
      from sent s left join version_reads r on r.version_id = s.version_id and r.day = ${today} and r.user_id is null
        and r.agent = s.agent),
    named as (
      select p.version_id, p.user_id, p.reads, case
        when p.agent is null or p.is_there or k.agents + p.place <= ${mostAgents} then p.agent
        else ${otherAgents} end as agent
      from placed p join known k on k.id = p.version_id),
    written as (
      insert into version_reads as r (version_id, day, user_id, agent, reads)
      select version_id, ${today}, user_id, agent, sum(reads) from named group by version_id, user_id, agent
      order by version_id, user_id, agent
      on conflict (version_id, day, user_id, agent) do update set reads = r.reads + excluded.reads)
    select id from api_version where id in (select version_id from sent) and id not in (select id from free)`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

const keptDays = 400
const mostRemoved = 10_000

/** SQL: the oldest day whose counts are told and kept. */
export const firstKeptDay = sql`${today} - ${sql.lit(keptDays)}`

/** Removes counts of days before the first one that is kept, so many at most, and tells whether there may be more. */
export async function removeOldReads(db: Database): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from version_reads where ctid = any(array(
    select ctid from version_reads where day < ${firstKeptDay} limit ${mostRemoved} for update skip locked))`.execute(
    db,
  )
  return Number(numAffectedRows) === mostRemoved
}

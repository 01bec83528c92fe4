import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import type { StateRules, Transaction } from '../database/tables.ts'

// What one statement looks through, changes and writes, which has to end in time.
const versionsInStretch = 2000
const versionsAtOnce = 150
const bytesAtOnce = 1_000_000

const beforeAll = '00000000-0000-0000-0000-000000000000'

/** Versions that are in one state and go to another, or stay in it under other rules. */
export interface Move {
  from: string
  to: StateRules
}

interface Counted {
  counts: Record<string, number>
  /** The version at which the stretch ends; null behind the last one. */
  last: string | null
}

/** How many versions stand in each state that is none of the given ones. */
export async function countOthers(trx: Transaction, states: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  let last: string | null = beforeAll
  while (last !== null) {
    const { rows }: { rows: Counted[] } = await sql<Counted>`
      with stretch as materialized (
        select id, state from api_version where id > ${last}::uuid order by id limit ${sql.lit(versionsInStretch * 5)}),
      counted as (select state, count(*) from stretch where state <> all(${states}::text[]) group by state)
      select (select id from stretch order by id offset ${sql.lit(versionsInStretch * 5 - 1)}) as last,
        (select coalesce(json_object_agg(state, count), '{}') from counted) as counts`.execute(trx)
    const [found] = rows as [Counted]
    for (const [state, count] of Object.entries(found.counts)) counts.set(state, (counts.get(state) ?? 0) + count)
    last = found.last
  }
  return counts
}

/**
 * Moves all versions that the moves are about, in a transaction that has locked the workflow, so many at a time. A version
 * of another state than before is a changed one: it has a row in its history and another revision, as its API has.
 */
export async function moveVersions(trx: Transaction, caller: Caller, moves: readonly Move[]): Promise<void> {
  const from = moves.map((move) => move.from)
  const to = moves.map((move) => move.to.state)
  const listed = moves.map((move) => move.to.listed)
  const changeable = moves.map((move) => move.to.changeable)
  let last: string | null = beforeAll
  while (last !== null) {
    const { rows }: { rows: Pick<Counted, 'last'>[] } = await sql<Pick<Counted, 'last'>>`
      with stretch as materialized (
        select id, state, listed, changeable, pg_column_size(doc) as size from api_version
        where id > ${last}::uuid order by id limit ${sql.lit(versionsInStretch)}),
      due as materialized (
        select s.id, m.from_state, m.to_state, m.listed, m.changeable, m.from_state <> m.to_state as moved,
          row_number() over behind as place, sum(s.size) over behind - s.size as before
        from stretch s join unnest(${from}::text[], ${to}::text[], ${listed}::boolean[], ${changeable}::boolean[])
          m (from_state, to_state, listed, changeable) on m.from_state = s.state
        where (s.state, s.listed, s.changeable) <> (m.to_state, m.listed, m.changeable)
        window behind as (order by s.id)),
      batch as materialized (
        select * from due where place <= ${sql.lit(versionsAtOnce)} and before < ${sql.lit(bytesAtOnce)}),
      changed as (
        update api_version v set
          state = s.to_state,
          listed = s.listed,
          changeable = s.changeable,
          revision = v.revision + s.moved::integer,
          updated = case when s.moved then ${now} else v.updated end,
          doc = case when s.moved then ${documentInState(sql`s.to_state`)} else v.doc end
        from batch s where v.id = s.id
        returning v.id, v.api_id, v.revision, s.from_state, s.to_state, s.moved),
      apis as (
        update api set revision = revision + 1, updated = ${now}
        where id in (select api_id from changed where moved)),
      history as (
        insert into version_history (version_id, revision, at, user_id, action, from_state, to_state)
        select id, revision, ${now}, ${caller.userId}::uuid, '@Map', from_state, to_state from changed where moved)
      select case when (select count(*) from batch) < (select count(*) from due)
        then (select id from batch order by id desc limit 1)
        else (select id from stretch order by id offset ${sql.lit(versionsInStretch - 1)}) end as last`.execute(trx)
    last = rows[0]?.last ?? null
  }
}

// Of this statement, behind the lock on the workflow, not of the transaction, which has waited for it.
const now = sql`date_trunc('milliseconds', statement_timestamp())`
const wireNow = sql`to_char(statement_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * SQL: the document of the row `v` of api_version with another state, as of now. Both stand near its end, behind whatever
 * people have written, where no text of theirs has an unescaped quotation mark.
 */
function documentInState(state: unknown) {
  return sql`(left(v.doc::text, -1200) || regexp_replace(right(v.doc::text, 1200),
    '"State":"[^"]*","Created":("[^"]*"),"Updated":"[^"]*"([^"]*("[A-Za-z]+":(true|false),)+"RatingSummary":\\{[^{}]*\\}\\})$',
    format('"State":%s,"Created":\\1,"Updated":"%s"\\2', to_json(${state}::text), ${wireNow})))::json`
}

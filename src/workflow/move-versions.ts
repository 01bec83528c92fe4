import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import type { StateRules, Transaction } from '../database/tables.ts'

/** Versions that are in one state and go to another, or stay in it under other rules. */
export interface Move {
  from: string
  to: StateRules
}

/** How many versions stand in each state that is none of the given ones. */
export async function countOthers(
  trx: Transaction,
  states: readonly string[],
): Promise<{ state: string; count: number }[]> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::integer as count from api_version where state <> all(${states}::text[])
    group by state order by state`.execute(trx)
  return rows
}

/**
 * Moves all versions that the moves are about, in a transaction that has locked the workflow. A version of another state
 * than before is a changed one: it has a row in its history and another revision, as its API has.
 */
export async function moveVersions(trx: Transaction, caller: Caller, moves: readonly Move[]): Promise<void> {
  const from = moves.map((move) => move.from)
  const to = moves.map((move) => move.to.state)
  const listed = moves.map((move) => move.to.listed)
  const changeable = moves.map((move) => move.to.changeable)
  await sql`
    with move as (
      select *, from_state <> to_state as is_change
      from unnest(${from}::text[], ${to}::text[], ${listed}::boolean[], ${changeable}::boolean[])
        m (from_state, to_state, listed, changeable)),
    moved as (
      update api_version v set
        state = m.to_state,
        listed = m.listed,
        changeable = m.changeable,
        revision = v.revision + m.is_change::integer,
        updated = case when m.is_change then ${now} else v.updated end,
        doc = case when m.is_change then ${documentInState(sql`m.to_state`)} else v.doc end
      from move m
      where v.state = m.from_state and (v.state, v.listed, v.changeable) <> (m.to_state, m.listed, m.changeable)
      returning v.id, v.api_id, v.revision, m.from_state, m.to_state, m.is_change),
    apis as (
      update api set revision = revision + 1, updated = ${now}
      where id in (select api_id from moved where is_change))
    insert into version_history (version_id, revision, at, user_id, action, from_state, to_state)
    select id, revision, ${now}, ${caller.userId}::uuid, '@Map', from_state, to_state from moved where is_change`.execute(
    trx,
  )
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

import { type RawBuilder, sql } from 'kysely'
import { preparedSql } from '../database/prepared.ts'
import type { Database } from '../database/tables.ts'
import { TooManyRequests } from '../fault.ts'
import { networkOf } from './network.ts'
import { inTurn } from './turns.ts'

const freeFailures = 5
const longestWaitSeconds = 60

/** Whose failed sign-ins are counted: the account as it was named, whether it exists or not, and the address. */
export interface Attempt {
  /** What was typed, behind what it is. Spellings that differ only in case are one. */
  account: string
  address: string
  /** How many failures one address may have in a minute. */
  addressPerMinute: number
}

/** Under what an attempt is counted. */
export interface Subjects {
  account: string
  address: string
}

/** What was counted before an attempt. */
export interface Counted {
  /** How many seconds the account or the address still has to wait; none below 1. */
  wait: number
  /** Whether the account has failures. */
  hasFailed: boolean
}

// PostgreSQL takes no NUL.
const accountOf = ({ account }: Attempt) => `account ${account.replaceAll('\0', '\u{FFFD}')}`
const addressOf = ({ address }: Attempt) => `address ${networkOf(address)}`

/** SQL: the one row of what was counted. */
export function countedFor({ account, address }: Subjects): RawBuilder<Counted> {
  return sql<Counted>`(
    select coalesce(max(ceil(extract(epoch from blocked_until - clock_timestamp()))), 0)::integer as wait,
      coalesce(bool_or(subject = lower(${account}::text)), false) as "hasFailed"
    from sign_in_throttle where subject in (lower(${account}::text), ${address}))`
}

export const readCounted = preparedSql<Subjects, Counted>(
  ({ account, address }) => sql`select * from ${countedFor({ account, address })} as counted`,
)

/**
 * Has somebody prove who they are, unless they have to wait. In a process the attempts of one account wait for each other,
 * each for what the one before it counts: of many guesses at once no more are looked at than of as many one after the
 * other, and right ones do not count against each other.
 * @param look reads what was counted, with whatever else is to be known of the account
 * @param prove undefined is a failure; what it throws is none, and is thrown
 * @throws TooManyRequests while the account or the address has to wait
 */
export function throttled<Found extends Counted, T>(
  db: Database,
  attempt: Attempt,
  look: (subjects: Subjects) => Promise<Found[]>,
  prove: (found: Found) => Promise<T | undefined>,
): Promise<T | undefined> {
  const subjects = { account: accountOf(attempt), address: addressOf(attempt) }
  return inTurn(subjects.account.toLowerCase(), async () => {
    const [found] = (await look(subjects)) as [Found]
    const { wait, hasFailed } = found
    if (wait > 0) throw new TooManyRequests(`Too many failed sign-ins: wait ${wait} seconds.`, wait)
    const proven = await prove(found)
    if (proven === undefined) await countFailure(db, attempt)
    else if (hasFailed) await clearFailures(db, attempt)
    return proven
  })
}

/** A crash may lose the last counts, and no sign-in waits for the disk. */
export const unsynced = sql`(select set_config('synchronous_commit', 'off', true)) as unsynced`

/** Counts a failure. From the fifth on the account waits 1, 2, 4 ... 60 seconds, never for ever. */
async function countFailure(db: Database, attempt: Attempt): Promise<void> {
  await sql`insert into sign_in_throttle as t (subject, failures)
      select lower(${accountOf(attempt)}::text), 1 from ${unsynced}
    on conflict (subject) do update set failures = t.failures + 1, blocked_until = clock_timestamp() + case
      when t.failures + 1 < ${freeFailures}::integer then interval '0'
      else make_interval(secs => least(${longestWaitSeconds}::integer, power(2, least(t.failures + 1 - ${freeFailures}::integer, 10)))) end`.execute(
    db,
  )
  await countForAddress(db, attempt)
}

/**
 * An address waits for the rest of the minute in which it failed too often. It is counted when an attempt has failed, so
 * that many people behind one address who sign in at once do not stop each other.
 */
async function countForAddress(db: Database, attempt: Attempt): Promise<void> {
  const { addressPerMinute } = attempt
  const blockedByFirst = sql`now() + case when ${addressPerMinute}::integer = 1 then interval '1 minute' else interval '0' end`
  await sql`insert into sign_in_throttle as t (subject, failures, blocked_until)
      select ${addressOf(attempt)}, 1, ${blockedByFirst} from ${unsynced}
    on conflict (subject) do update set
      failures = case when t.window_started > now() - interval '1 minute' then t.failures + 1 else 1 end,
      window_started = case when t.window_started > now() - interval '1 minute' then t.window_started else now() end,
      blocked_until = case when t.window_started > now() - interval '1 minute' and t.failures + 1 >= ${addressPerMinute}::integer
        then t.window_started + interval '1 minute' else ${blockedByFirst} end`.execute(db)
  await pruneThrottle(db)
}

/** Forgets the failures of an account whose owner has signed in. */
async function clearFailures(db: Database, attempt: Attempt): Promise<void> {
  await sql`delete from sign_in_throttle using ${unsynced} where subject = lower(${accountOf(attempt)}::text)`.execute(
    db,
  )
}

/** Each failure, and each start of a sign-in, removes a few that no longer matter, so that made-up names cannot fill the table. */
export async function pruneThrottle(db: Database): Promise<void> {
  await sql`delete from sign_in_throttle where subject in (
    select subject from sign_in_throttle where blocked_until < now() - interval '1 hour' limit 10
    for update skip locked)`.execute(db)
}

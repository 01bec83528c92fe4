import { sql } from 'kysely'
import type { Database } from '../database/tables.ts'
import { TooManyRequests } from '../fault.ts'
import { inTurn } from './turns.ts'

const freeFailures = 5
const longestWaitSeconds = 60

/** Whose failed sign-ins are counted: the account that was named, whether it exists or not, and the address. */
export interface Attempt {
  account: string
  address: string
  /** How many failures one address may have in a minute. */
  addressPerMinute: number
}

const accountOf = ({ account }: Attempt) =>
  // PostgreSQL takes no NUL.
  `account ${account.toLowerCase().replaceAll('\0', '\u{FFFD}')}`
const addressOf = ({ address }: Attempt) => `address ${address}`

/**
 * Has somebody prove who they are. For the account it counts as a failure before it is looked at, and no more when it
 * succeeds: of many guesses at once no more are looked at than of as many one after the other. In a process those of one
 * account wait for each other, so that right ones at once do not count against each other.
 * @param prove undefined is a failure; what it throws is none, and is thrown
 * @throws TooManyRequests while the account or the address has to wait
 */
export function throttled<T>(
  db: Database,
  attempt: Attempt,
  prove: () => Promise<T | undefined>,
): Promise<T | undefined> {
  return inTurn(accountOf(attempt), async () => {
    const failures = await countAttempt(db, attempt)
    const proven = await prove().catch(async (error) => {
      await takeBack(db, attempt, failures)
      throw error
    })
    await (proven === undefined ? countForAddress(db, attempt) : clearFailures(db, attempt))
    return proven
  })
}

/** A crash may lose the last counts, and no sign-in waits for the disk. */
const unsynced = sql`(select set_config('synchronous_commit', 'off', true)) as unsynced`

/**
 * Counts an attempt as a failure. From the fifth on the account waits 1, 2, 4 ... 60 seconds, never for ever.
 * @returns how many there are now
 * @throws TooManyRequests, and counts nothing, while the account or the address has to wait
 */
async function countAttempt(db: Database, attempt: Attempt): Promise<number> {
  // The time at which the row is locked, not that at which the statement began: another one may have come between.
  const now = sql`clock_timestamp()`
  const { rows } = await sql<{ failures: number }>`insert into sign_in_throttle as t (subject, failures, blocked_until)
    select ${accountOf(attempt)}, 1, ${now} from ${unsynced}
    where not exists (select from sign_in_throttle where subject = ${addressOf(attempt)} and blocked_until > ${now})
    on conflict (subject) do update set failures = t.failures + 1, blocked_until = ${now} + case
      when t.failures + 1 < ${freeFailures}::integer then interval '0'
      else make_interval(secs => least(${longestWaitSeconds}::integer, power(2, least(t.failures + 1 - ${freeFailures}::integer, 10)))) end
    where t.failures < ${freeFailures}::integer or t.blocked_until <= ${now}
    returning failures`.execute(db)
  const [counted] = rows
  if (!counted) throw await refusal(db, attempt)
  return counted.failures
}

async function refusal(db: Database, attempt: Attempt): Promise<TooManyRequests> {
  const { left } = await db
    .selectFrom('sign_in_throttle')
    .where('subject', 'in', [accountOf(attempt), addressOf(attempt)])
    .select(sql<number | null>`ceil(extract(epoch from max(blocked_until) - now()))::integer`.as('left'))
    .executeTakeFirstOrThrow()
  const wait = Math.max(1, left ?? 1)
  return new TooManyRequests(`Too many failed sign-ins: wait ${wait} seconds.`, wait)
}

/** Makes an attempt not counted; the wait that it brought ends, unless another attempt was counted since. */
async function takeBack(db: Database, attempt: Attempt, failures: number): Promise<void> {
  await sql`update sign_in_throttle set failures = failures - 1,
      blocked_until = case when failures = ${failures}::integer then now() else blocked_until end
    where subject = ${accountOf(attempt)} and failures > 0`.execute(db)
}

/**
 * An address waits for the rest of the minute in which it failed too often. It is counted when an attempt has failed, so
 * that many people behind one address who sign in at once do not stop each other.
 */
async function countForAddress(db: Database, attempt: Attempt): Promise<void> {
  const { addressPerMinute } = attempt
  await sql`insert into sign_in_throttle as t (subject, failures, blocked_until)
      select ${addressOf(attempt)}, 1, now() + case when ${addressPerMinute}::integer = 1 then interval '1 minute' else interval '0' end
      from ${unsynced}
    on conflict (subject) do update set
      failures = case when t.window_started > now() - interval '1 minute' then t.failures + 1 else 1 end,
      window_started = case when t.window_started > now() - interval '1 minute' then t.window_started else now() end,
      blocked_until = case when t.window_started > now() - interval '1 minute' and t.failures + 1 >= ${addressPerMinute}::integer
        then t.window_started + interval '1 minute' else now() end`.execute(db)
  await pruneThrottle(db)
}

/** Forgets the failures of an account whose owner has signed in. */
async function clearFailures(db: Database, attempt: Attempt): Promise<void> {
  await sql`delete from sign_in_throttle using ${unsynced} where subject = ${accountOf(attempt)}`.execute(db)
}

/** Each failure removes a few that no longer matter, so that made-up names cannot fill the table. */
async function pruneThrottle(db: Database): Promise<void> {
  await sql`delete from sign_in_throttle where subject in (
    select subject from sign_in_throttle where blocked_until < now() - interval '1 hour' limit 10
    for update skip locked)`.execute(db)
}

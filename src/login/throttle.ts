import { sql } from 'kysely'
import type { Database } from '../database/tables.ts'
import { TooManyRequests } from '../fault.ts'

const freeFailures = 5
const longestWaitSeconds = 60

/** Whose failed sign-ins are counted: the account that was named, whether it exists or not, and the address. */
export interface Attempt {
  account: string
  address: string
}

const subjectsOf = ({ account, address }: Attempt) => ({
  // PostgreSQL takes no NUL.
  account: `account ${account.toLowerCase().replaceAll('\0', '\u{FFFD}')}`,
  address: `address ${address}`,
})

/** @throws TooManyRequests while the account or the address has to wait. */
export async function refuseIfThrottled(db: Database, attempt: Attempt): Promise<void> {
  const { wait } = await db
    .selectFrom('sign_in_throttle')
    .where('subject', 'in', Object.values(subjectsOf(attempt)))
    .select(sql<number | null>`ceil(extract(epoch from max(blocked_until) - now()))::integer`.as('wait'))
    .executeTakeFirstOrThrow()
  if (wait !== null && wait > 0) throw new TooManyRequests(`Too many failed sign-ins: wait ${wait} seconds.`, wait)
}

/**
 * Counts a failure. From the fifth on the account waits 1, 2, 4 ... 60 seconds, never for ever; an address waits for the
 * rest of the minute in which it failed too often.
 */
export async function countFailure(db: Database, attempt: Attempt, addressPerMinute: number): Promise<void> {
  const { account, address } = subjectsOf(attempt)
  await sql`insert into sign_in_throttle as t (subject, failures) values (${account}, 1)
    on conflict (subject) do update set failures = t.failures + 1, blocked_until = case
      when t.failures + 1 < ${freeFailures}::integer then now()
      else now() + make_interval(secs => least(${longestWaitSeconds}::integer, power(2, least(t.failures + 1 - ${freeFailures}::integer, 10)))) end`.execute(
    db,
  )
  await sql`insert into sign_in_throttle as t (subject, failures, blocked_until)
      values (${address}, 1, now() + case when ${addressPerMinute}::integer = 1 then interval '1 minute' else interval '0' end)
    on conflict (subject) do update set
      failures = case when t.window_started > now() - interval '1 minute' then t.failures + 1 else 1 end,
      window_started = case when t.window_started > now() - interval '1 minute' then t.window_started else now() end,
      blocked_until = case when t.window_started > now() - interval '1 minute' and t.failures + 1 >= ${addressPerMinute}::integer
        then t.window_started + interval '1 minute' else now() end`.execute(db)
  await pruneThrottle(db)
}

/** Forgets the failures of an account whose owner has signed in. */
export async function clearFailures(db: Database, attempt: Attempt): Promise<void> {
  await db.deleteFrom('sign_in_throttle').where('subject', '=', subjectsOf(attempt).account).execute()
}

/** Each failure removes a few that no longer matter, so that made-up names cannot fill the table. */
async function pruneThrottle(db: Database): Promise<void> {
  await sql`delete from sign_in_throttle where subject in (
    select subject from sign_in_throttle where blocked_until < now() - interval '1 hour' limit 10
    for update skip locked)`.execute(db)
}

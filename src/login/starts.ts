import { sql } from 'kysely'
import type { Database } from '../database/tables.ts'
import { TooManyRequests } from '../fault.ts'
import { networkOf } from './network.ts'
import { pruneThrottle, unsynced } from './throttle.ts'

/**
 * Counts that somebody begins to sign in at a provider, which leaves a row behind for each.
 * @throws TooManyRequests when their address has begun too often in this minute
 */
export async function countStart(db: Database, address: string, perMinute: number): Promise<void> {
  const isOver = sql`t.window_started <= now() - interval '1 minute'`
  const { rows } = await sql<{ starts: number; left: number }>`
    insert into sign_in_throttle as t (subject, failures) select ${`start ${networkOf(address)}`}, 1 from ${unsynced}
    on conflict (subject) do update set
      failures = case when ${isOver} then 1 else t.failures + 1 end,
      window_started = case when ${isOver} then now() else t.window_started end,
      blocked_until = now()
    returning failures as starts, ceil(extract(epoch from window_started + interval '1 minute' - now()))::integer as left
  `.execute(db)
  await pruneThrottle(db)
  for (const { starts, left } of rows) {
    if (starts > perMinute) throw new TooManyRequests(`Too many sign-ins were begun: wait ${left} seconds.`, left)
  }
}

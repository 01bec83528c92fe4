import { sql } from 'kysely'
import type { Service } from './service.ts'

/** How many statements wait for another's lock. */
export async function lockWaits({ db }: Service): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.count ?? 0
}

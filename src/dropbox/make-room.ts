import { sql } from 'kysely'
import type { Database } from '../database/tables.ts'

/** SQL: whether what somebody has sent is still there for them. */
export const isKept = sql<boolean>`created > now() - interval '1 day'`

/** Removes a few things that are kept no longer, and of the user's own the oldest, until there is room for one more. */
export async function makeRoom(
  db: Database,
  table: 'dropbox_file' | 'dropbox_picture',
  userId: string,
  mostOfOneUser: number,
): Promise<void> {
  const sent = sql.table(table)
  await sql`delete from ${sent} where id in (
    select id from ${sent} where not (${isKept}) limit 10 for update skip locked)`.execute(db)
  await sql`delete from ${sent} where id in (
    select id from ${sent} where user_id = ${userId} order by id desc offset ${mostOfOneUser - 1})`.execute(db)
}

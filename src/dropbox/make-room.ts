import { sql } from 'kysely'
import type { Database } from '../database/tables.ts'

/** Removes a few things that are older than a day, and of the user's own the oldest, until there is room for one more. */
export async function makeRoom(
  db: Database,
  table: 'dropbox_file' | 'dropbox_picture',
  userId: string,
  mostOfOneUser: number,
): Promise<void> {
  const kept = sql.table(table)
  await sql`delete from ${kept} where id in (
    select id from ${kept} where created <= now() - interval '1 day' limit 10 for update skip locked)`.execute(db)
  await sql`delete from ${kept} where id in (
    select id from ${kept} where user_id = ${userId} order by id desc offset ${mostOfOneUser - 1})`.execute(db)
}

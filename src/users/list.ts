import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/tables.ts'
import type { PlaceValues } from '../lists/listed.ts'
import type { PageRow } from '../lists/page-statement.ts'
import type { UserRow } from './store.ts'

/** Which users a list shows: those of a domain, and those whose name or e-mail address begins so, in any case. */
export interface UserFilter {
  by: 'user_name' | 'email'
  beginning: string
  domainId: string | undefined
}

/** The users of a list, sorted by what it filters by, from a place on. */
export async function readUsers(
  db: Database,
  { by, beginning, domainId }: UserFilter,
  { key, id, skip, count }: PlaceValues,
): Promise<(PageRow & UserRow)[]> {
  const name: RawBuilder<string> = sql`lower(${sql.ref(`u.${by}`)}) collate "C"`
  const lowered = sql`lower(${beginning}::text) collate "C"`
  const ofDomain = domainId === undefined ? sql`` : sql`u.domain_id = ${domainId} and`
  // One lower bound: of two PostgreSQL might begin at the lesser.
  const { rows } = await sql<PageRow & UserRow>`
    with sought as materialized (
      select u.id, ${name} as key from app_user u
      where ${ofDomain} (${name}, u.id) > (greatest(${key}::text, ${lowered}), ${id}::uuid)
        and ${name} <= ${lowered} || repeat(chr(1114111), 512)
      order by key, u.id limit ${skip + count + 1}),
    page as (select id, key from sought order by key, id offset ${skip} limit ${count})
    select b.found, null as "reachedKey", null as "reachedId", p.key as place,
      u.id, u.user_name, u.email, u.enabled, u.domain_id, u.created, u.updated,
      array(select role from role_grant where user_id = u.id order by role) as roles
    from (select count(*)::integer as found from sought) b
    left join page p on true
    left join app_user u on u.id = p.id
    order by p.key, p.id`.execute(db)
  return rows
}

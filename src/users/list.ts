import { type RawBuilder, sql } from 'kysely'
import { rolesOfUser } from '../access/roles.ts'
import type { Database } from '../database/tables.ts'
import type { PlaceValues } from '../lists/listed.ts'
import { type Part, type Placed, partOf } from '../lists/page.ts'
import { behindNames } from '../lists/sort.ts'
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
  place: PlaceValues,
): Promise<Part<UserRow>> {
  const { key, id, skip, count } = place
  const name: RawBuilder<string> = sql`lower(${sql.ref(`u.${by}`)}) collate "C"`
  const lowered = sql`lower(${beginning}::text) collate "C"`
  const ofDomain = domainId === undefined ? sql`` : sql`u.domain_id = ${domainId} and`
  // One lower bound: of two PostgreSQL might begin at the lesser.
  const { rows } = await sql<Placed & UserRow>`
    select u.*, ${rolesOfUser} as roles
    from (
      select u.id, ${name} as place, u.user_name, u.email, u.enabled, u.domain_id, u.created, u.updated from app_user u
      where ${ofDomain} (${name}, u.id) > (greatest(${key}::text, ${lowered}), ${id}::uuid)
        and ${name} <= ${behindNames(lowered)}
      order by place, u.id offset ${skip} limit ${count + 1}) u
    order by place, id`.execute(db)
  return partOf(rows, place)
}

import { sql } from 'kysely'
import type { Role } from '../database/tables.ts'
import { invalidMember } from '../fault.ts'

export const roles: readonly Role[] = ['SiteAdmin', 'BusinessAdmin']

/** The role of that name; undefined when there is none. */
export function roleOf(name: string): Role | undefined {
  return roles.find((role) => role === name)
}

/** @throws Malformed for a name in a body that is none of a role */
export function roleInBody(name: string, pointer: string): Role {
  const role = roleOf(name)
  if (!role) throw invalidMember(pointer, `must be one of ${roles.join(', ')}`)
  return role
}

/** SQL: the roles of the row `u` of app_user, in a fixed order. */
export const rolesOfUser = sql<Role[]>`array(select role from role_grant where user_id = u.id order by role)`

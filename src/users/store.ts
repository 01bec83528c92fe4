import { sql } from 'kysely'
import { rolesOfUser } from '../access/roles.ts'
import { refuseWithoutSiteAdmin } from '../access/site-admins.ts'
import { announce } from '../database/changes.ts'
import { brokenUniqueness } from '../database/errors.ts'
import { builtInDomain, type Database, type Role, type Transaction } from '../database/tables.ts'
import { invalidMember } from '../fault.ts'
import { newId } from '../ids.ts'

export interface UserRow {
  id: string
  user_name: string
  email: string
  enabled: boolean
  domain_id: string
  created: Date
  updated: Date
  roles: Role[]
}

/** The user; undefined when there is none. */
export function findUser(db: Database, id: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('app_user as u')
    .where('u.id', '=', id)
    .select(['u.id', 'u.user_name', 'u.email', 'u.enabled', 'u.domain_id', 'u.created', 'u.updated'])
    .select(rolesOfUser.as('roles'))
    .executeTakeFirst()
}

export interface NewUser {
  /** The e-mail address unless it is given. */
  userName: string | undefined
  email: string
  passwordHash: string
  enabled: boolean
  roles: readonly Role[]
}

/**
 * Stores a user of the built-in domain and returns the id.
 * @throws Malformed when the name or the address is another user's.
 */
export async function insertUser(trx: Transaction, user: NewUser): Promise<string> {
  const id = newId()
  try {
    await trx
      .insertInto('app_user')
      .values({
        id,
        domain_id: builtInDomain,
        user_name: user.userName ?? user.email,
        email: user.email,
        password_hash: user.passwordHash,
        enabled: user.enabled,
      })
      .execute()
  } catch (error) {
    throw takenFault(error, user.userName === undefined ? '/Email' : '/UserName')
  }
  if (user.roles.length > 0) {
    await trx
      .insertInto('role_grant')
      .values(user.roles.map((role) => ({ user_id: id, role })))
      .execute()
  }
  return id
}

/** The fault for a name, which stands at `namePointer`, or an address that is another user's; every other error as it is. */
export function takenFault(error: unknown, namePointer = '/UserName'): unknown {
  const index = brokenUniqueness(error)
  return index ? invalidMember(index === 'app_user_local_email' ? '/Email' : namePointer, "is another user's") : error
}

/** Gives a user a role, if there is that user. */
export async function grantRole(trx: Transaction, userId: string, role: Role): Promise<void> {
  await trx
    .insertInto('role_grant')
    .columns(['user_id', 'role'])
    .expression(
      trx
        .selectFrom('app_user')
        .where('id', '=', userId)
        .select(['id', sql<Role>`${role}::text`.as('role')]),
    )
    // What a person gives stays when the rule that gave it before no longer holds.
    .onConflict((conflict) => conflict.columns(['user_id', 'role']).doUpdateSet({ by_rule: false }))
    .execute()
  await announce(trx, { kind: 'user', id: userId })
}

/**
 * The caller holds the lock of `lockSiteAdmins`.
 * @throws Malformed when nobody would be left who can sign in as a Site Admin.
 */
export async function revokeRole(trx: Transaction, userId: string, role: Role): Promise<void> {
  await trx.deleteFrom('role_grant').where('user_id', '=', userId).where('role', '=', role).execute()
  if (role === 'SiteAdmin') await refuseWithoutSiteAdmin(trx)
  await announce(trx, { kind: 'user', id: userId })
}

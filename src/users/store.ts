import { sql } from 'kysely'
import { type Caller, notEntitled } from '../access/caller.ts'
import { inOrder } from '../access/entitlement.ts'
import { announce } from '../database/changes.ts'
import { brokenUniqueness } from '../database/errors.ts'
import type { Database, Role } from '../database/tables.ts'
import { invalidMember, Malformed } from '../fault.ts'
import { newId } from '../ids.ts'

export const roles: readonly Role[] = ['SiteAdmin', 'BusinessAdmin']

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
export function readUser(db: Database, id: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('app_user as u')
    .where('u.id', '=', id)
    .select(['u.id', 'u.user_name', 'u.email', 'u.enabled', 'u.domain_id', 'u.created', 'u.updated'])
    .select(sql<Role[]>`array(select role from role_grant where user_id = u.id order by role)`.as('roles'))
    .executeTakeFirst()
}

export interface NewUser {
  userName: string
  email: string
  passwordHash: string
  enabled: boolean
  roles: readonly Role[]
}

/**
 * Stores a user of the built-in domain and returns the id.
 * @throws Malformed when the name or the address is another user's.
 */
export async function insertUser(trx: Database, user: NewUser): Promise<string> {
  const id = newId()
  try {
    await trx
      .insertInto('app_user')
      .values({
        id,
        domain_id: 'siteusers',
        user_name: user.userName,
        email: user.email,
        password_hash: user.passwordHash,
        enabled: user.enabled,
      })
      .execute()
  } catch (error) {
    const index = brokenUniqueness(error)
    if (!index) throw error
    throw invalidMember(index === 'app_user_local_email' ? '/Email' : '/UserName', "is another user's")
  }
  if (user.roles.length > 0) {
    await trx
      .insertInto('role_grant')
      .values(user.roles.map((role) => ({ user_id: id, role })))
      .execute()
  }
  return id
}

/**
 * Holds the caller to being a Site Admin until the transaction ends: nothing commits after that role was taken away.
 * `exclusively` makes changes of roles wait for each other.
 * @throws Unauthorized
 */
export async function lockSiteAdmin(trx: Database, caller: Caller, exclusively = false): Promise<void> {
  const siteAdmins = trx.selectFrom('role_grant').where('role', '=', 'SiteAdmin').select('user_id').orderBy('user_id')
  const locked = exclusively
    ? siteAdmins.forUpdate()
    : siteAdmins.where('user_id', '=', caller.userId).where(inOrder(caller)).forKeyShare()
  const holders = await locked.execute()
  if (!holders.some(({ user_id }) => user_id === caller.userId)) throw notEntitled(caller, 'this needs a Site Admin')
}

export async function grantRole(trx: Database, userId: string, role: Role): Promise<void> {
  await trx
    .insertInto('role_grant')
    .values({ user_id: userId, role })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await announce(trx, { kind: 'user', id: userId })
}

/**
 * The caller holds the lock of `lockSiteAdmin`: two Site Admins cannot lose the role at once.
 * @throws Malformed when nobody would be left who can sign in as a Site Admin.
 */
export async function revokeRole(trx: Database, userId: string, role: Role): Promise<void> {
  if (role === 'SiteAdmin') await refuseForLastSiteAdmin(trx, userId)
  await trx.deleteFrom('role_grant').where('user_id', '=', userId).where('role', '=', role).execute()
  await announce(trx, { kind: 'user', id: userId })
}

async function refuseForLastSiteAdmin(trx: Database, userId: string): Promise<void> {
  const holders = await trx
    .selectFrom('role_grant as r')
    .innerJoin('app_user as u', 'u.id', 'r.user_id')
    .where('r.role', '=', 'SiteAdmin')
    .where((where) => where.or([where('u.enabled', '=', true), where('u.id', '=', userId)]))
    .select('r.user_id')
    .orderBy('r.user_id')
    .limit(1000)
    .execute()
  if (holders.length > 0 && holders.every(({ user_id }) => user_id === userId)) {
    throw new Malformed('The last Site Admin cannot lose that role: make somebody else a Site Admin first.')
  }
}

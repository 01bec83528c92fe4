import { sql } from 'kysely'
import type { Transaction } from '../database/tables.ts'
import { Malformed } from '../fault.ts'
import { type Caller, notEntitled } from './caller.ts'
import { inOrder } from './entitlement.ts'

/**
 * Makes changes of who can sign in as a Site Admin wait for each other until the transaction ends. Whoever takes more
 * locks takes this one first.
 */
export async function lockSiteAdmins(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('Site Admins', 0))`.execute(trx)
}

/**
 * Holds the caller, who is not disabled, to being a Site Admin until the transaction ends: nothing commits after that
 * role was taken away.
 * @throws Unauthorized
 */
export async function lockSiteAdmin(trx: Transaction, caller: Caller): Promise<void> {
  const held = await trx
    .selectFrom('role_grant')
    .where('role', '=', 'SiteAdmin')
    .where('user_id', '=', caller.userId)
    .where(inOrder(caller))
    .where(sql<boolean>`exists (select from app_user u join login_domain d on d.id = u.domain_id
      where u.id = role_grant.user_id and u.enabled and d.enabled)`)
    .select('user_id')
    .forKeyShare()
    .executeTakeFirst()
  if (!held) throw notEntitled(caller, 'this needs a Site Admin')
}

/**
 * Both at once, for a Site Admin who changes who can sign in as one.
 * @throws Unauthorized
 */
export async function lockSiteAdminsFor(trx: Transaction, caller: Caller): Promise<void> {
  await lockSiteAdmins(trx)
  await lockSiteAdmin(trx, caller)
}

/**
 * Call it behind `lockSiteAdmins` and the change. Whoever has the role by a rule of their login domain does not count:
 * the domain may take it back at any time.
 * @throws Malformed when nobody is left who can sign in as a Site Admin.
 */
export async function refuseWithoutSiteAdmin(trx: Transaction): Promise<void> {
  const left = await trx
    .selectFrom('role_grant as r')
    .innerJoin('app_user as u', 'u.id', 'r.user_id')
    .innerJoin('login_domain as d', 'd.id', 'u.domain_id')
    .where('r.role', '=', 'SiteAdmin')
    .where('r.by_rule', '=', false)
    .where('u.enabled', '=', true)
    .where('d.enabled', '=', true)
    .where((where) => where.or([where('d.kind', '<>', 'local'), where('u.password_hash', 'is not', null)]))
    .select('r.user_id')
    .limit(1)
    .executeTakeFirst()
  if (!left) {
    throw new Malformed(
      'Nobody would be left who can sign in as a Site Admin: first give the role to an enabled user of an enabled domain.',
    )
  }
}

import { type Selectable, sql } from 'kysely'
import type { Database, Tables } from '../database/tables.ts'

const listed = [
  'id',
  'kind',
  'domain_name',
  'display_mode',
  'title',
  'sequence',
  'virtual_hosts',
  'logo_assigned',
  'enabled',
  'serves_oauth',
] as const

/** What lists show and choose by. */
export type LoginDomainRow = Pick<Selectable<Tables['login_domain']>, (typeof listed)[number]>

/** Whether a login domain is valid for a host: its VirtualHost names it, or none. */
export function isValidFor({ virtual_hosts }: LoginDomainRow, hostname: string): boolean {
  return virtual_hosts.length === 0 || virtual_hosts.includes(hostname.toLowerCase().replace(/\.$/, ''))
}

const managed = [...listed, 'provisions', 'settings', 'role_rules', 'revision'] as const

/** What Site Admins manage. */
export type ManagedRow = LoginDomainRow &
  Pick<Selectable<Tables['login_domain']>, (typeof managed)[number]> & { has_secret: boolean }

/** How many login domains there may be. */
export const mostLoginDomains = 1000

/** The login domains in their order. */
export function readLoginDomains(db: Database): Promise<LoginDomainRow[]> {
  return db
    .selectFrom('login_domain')
    .select(listed)
    .orderBy('sequence')
    .orderBy('id')
    .limit(mostLoginDomains)
    .execute()
}

/** SQL: the members of a login domain that Site Admins manage. */
export const managedColumns = [...managed, sql<boolean>`secret is not null`.as('has_secret')] as const

/** The login domain with all that Site Admins manage; undefined when there is none. */
export function readManagedDomain(db: Database, id: string): Promise<ManagedRow | undefined> {
  return db.selectFrom('login_domain').where('id', '=', id).select(managedColumns).executeTakeFirst()
}

/** The login domain that a user belongs to; undefined when there is no such user. */
export async function readDomainIdOfUser(db: Database, userId: string): Promise<string | undefined> {
  const user = await db.selectFrom('app_user').where('id', '=', userId).select('domain_id').executeTakeFirst()
  return user?.domain_id
}

import type { Selectable } from 'kysely'
import type { Database, Tables } from '../database/tables.ts'

export type LoginDomainRow = Selectable<Tables['login_domain']>

const most = 1000

/** The login domains in their order. */
export function readLoginDomains(db: Database): Promise<LoginDomainRow[]> {
  return db.selectFrom('login_domain').selectAll().orderBy('sequence').orderBy('id').limit(most).execute()
}

/** The login domain that a user belongs to; undefined when there is no such user. */
export async function readDomainIdOfUser(db: Database, userId: string): Promise<string | undefined> {
  const user = await db.selectFrom('app_user').where('id', '=', userId).select('domain_id').executeTakeFirst()
  return user?.domain_id
}

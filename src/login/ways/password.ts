import { sql } from 'kysely'
import { hashPassword, isOutdated, verifyPassword } from '../../access/passwords.ts'
import { prepared } from '../../database/prepared.ts'
import type { Database } from '../../database/tables.ts'
import { TooManyRequests } from '../../fault.ts'
import { type Attempt, throttled } from '../throttle.ts'
import { atMost } from './in-flight.ts'

export interface PasswordProof {
  /** What names the account, and as what. */
  name: string
  nameIs: 'email' | 'user_name'
  password: string
  /** Where the request came from, for the throttle. */
  address: string
}

/**
 * Proves by platform password who somebody is. Unknown, disabled and wrong look alike and take alike.
 * @returns the user's id; undefined when it is not proven.
 * @throws TooManyRequests when the account, the address or everybody has to wait.
 */
export async function proveByPassword(
  db: Database,
  { name, nameIs, password, address }: PasswordProof,
  addressPerMinute: number,
): Promise<string | undefined> {
  const [user] = await users[nameIs](db, { name })
  // Every spelling of an address that finds the account counts against the same account.
  const attempt = { account: user?.email ?? name, address, addressPerMinute }
  const proven = await throttledPassword(db, attempt, async () => {
    const matches = await verifyPassword(user?.enabled ? user.password_hash : null, password)
    return matches ? user : undefined
  })
  if (proven?.password_hash && isOutdated(proven.password_hash)) {
    await rehash(db, proven.id, proven.password_hash, password)
  }
  return proven?.id
}

const usersBy = (column: PasswordProof['nameIs']) =>
  prepared((db, { name }: { name: string }) =>
    db
      .selectFrom('app_user as u')
      .innerJoin('login_domain as d', 'd.id', 'u.domain_id')
      .where('u.domain_id', '=', 'siteusers')
      .where(sql`lower(${sql.ref(`u.${column}`)})`, '=', sql<string>`lower(${name}::text)`)
      .select(['u.id', 'u.email', 'u.password_hash'])
      .select(sql<boolean>`u.enabled and d.enabled`.as('enabled')),
  )
const users = { email: usersBy('email'), user_name: usersBy('user_name') }

const withinLimit = atMost(
  { ofOneKey: 50 },
  () => new TooManyRequests('Too many people are signing in at this moment.', 1),
)

/**
 * Has a platform password looked at within the throttle. Each costs a moment of a processor, so not too many may wait.
 * @throws TooManyRequests
 */
export function throttledPassword<T>(db: Database, attempt: Attempt, prove: () => Promise<T | undefined>) {
  return withinLimit('password', () => throttled(db, attempt, prove))
}

/** Only while the password is the same: another one may have been set in the meantime. */
async function rehash(db: Database, userId: string, before: string, password: string): Promise<void> {
  await db
    .updateTable('app_user')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', userId)
    .where('password_hash', '=', before)
    .execute()
}

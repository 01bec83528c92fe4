import { sql } from 'kysely'
import { hashPassword, isOutdated, verifyPassword } from '../../access/passwords.ts'
import type { Proven } from '../../access/sessions.ts'
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
 * @returns undefined when it is not proven.
 * @throws TooManyRequests when the account, the address or everybody has to wait.
 */
export async function proveByPassword(
  db: Database,
  { name, nameIs, password, address }: PasswordProof,
  addressPerMinute: number,
): Promise<Proven | undefined> {
  const [user] = await users[nameIs](db, { name })
  // Every spelling of an address that finds the account counts against the same account.
  const attempt = { account: user?.email ?? name, address, addressPerMinute }
  const proven = await throttledPassword(db, attempt, async () => {
    const passwordHash = user?.enabled ? user.password_hash : null
    const matches = await verifyPassword(passwordHash, password)
    return matches && user ? { userId: user.id, passwordHash } : undefined
  })
  return proven?.passwordHash && isOutdated(proven.passwordHash) ? rehash(db, proven, password) : proven
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

/** Stores a hash of today's parameters, unless another hash or another password was stored in the meantime. */
async function rehash(db: Database, { userId, passwordHash }: Proven, password: string): Promise<Proven | undefined> {
  const newer = await hashPassword(password)
  const { numUpdatedRows } = await db
    .updateTable('app_user')
    .where('id', '=', userId)
    .set({ password_hash: newer })
    .where('password_hash', '=', passwordHash)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return { userId, passwordHash: newer }
  const stored = await db.selectFrom('app_user').where('id', '=', userId).select('password_hash').executeTakeFirst()
  const matches = await verifyPassword(stored?.password_hash, password)
  return matches && stored ? { userId, passwordHash: stored.password_hash } : undefined
}

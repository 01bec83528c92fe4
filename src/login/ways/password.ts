import { sql } from 'kysely'
import { hashPassword, isOutdated, verifyPassword } from '../../access/passwords.ts'
import type { Proven } from '../../access/sessions.ts'
import { preparedSql } from '../../database/prepared.ts'
import { builtInDomain, type Database } from '../../database/tables.ts'
import { TooManyRequests } from '../../fault.ts'
import { atMost } from '../../in-flight.ts'
import type { Services } from '../../services.ts'
import { type Counted, countedFor, type Subjects, throttled } from '../throttle.ts'

/** What somebody types to prove who they are by a platform password. */
export interface Typed {
  name: string
  nameIs: 'email' | 'user_name'
  password: string
}

/**
 * Proves by platform password who somebody is. Unknown, disabled and wrong look alike and take alike.
 * @param address where the request came from, for the throttle
 * @param found hears the id of the user whom the name finds, proven or not
 * @returns undefined when it is not proven.
 * @throws TooManyRequests when the account, the address or everybody has to wait.
 */
export async function proveByPassword(
  { db, config }: Pick<Services, 'db' | 'config'>,
  address: string,
  { name, nameIs, password }: Typed,
  found: (userId: string) => void,
): Promise<Proven | undefined> {
  const attempt = { account: `${nameIs} ${name}`, address, addressPerMinute: config.loginAddressPerMinute }
  const look = async (subjects: Subjects) => {
    const rows = await users[nameIs](db, { ...subjects, name })
    for (const { userId } of rows) if (userId !== null) found(userId)
    return rows
  }
  const proven = await throttledPassword(db, attempt, look, async ({ userId, hash, enabled }) => {
    const passwordHash = enabled ? hash : null
    const matches = await verifyPassword(passwordHash, password)
    return matches && userId !== null ? { userId, passwordHash } : undefined
  })
  return proven?.passwordHash && isOutdated(proven.passwordHash) ? rehash(db, proven, password) : proven
}

/** What was counted, and the user of the name; null for nobody. */
interface Found extends Counted {
  userId: string | null
  hash: string | null
  enabled: boolean | null
}

const usersBy = (column: Typed['nameIs']) =>
  preparedSql<Subjects & { name: string }, Found>(
    ({ account, address, name }) => sql`select counted.*,
      u.id as "userId", u.password_hash as hash, u.enabled and d.enabled as enabled
    from ${countedFor({ account, address })} as counted
      left join (app_user u join login_domain d on d.id = u.domain_id)
        on u.domain_id = ${sql.lit(builtInDomain)} and lower(${sql.ref(`u.${column}`)}) = lower(${name}::text)`,
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
export const throttledPassword: typeof throttled = (...attempt) => withinLimit('password', () => throttled(...attempt))

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

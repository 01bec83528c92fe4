import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { hashPassword } from '../access/passwords.ts'
import { roleInBody } from '../access/roles.ts'
import { lockSiteAdmin } from '../access/site-admins.ts'
import { inTransaction } from '../database/transaction.ts'
import { invalidMember } from '../fault.ts'
import type { Once } from '../idempotency.ts'
import type { Services } from '../services.ts'
import { readUser } from './read-user.ts'
import { isUserName, longestUserName, type UserBody } from './schemas.ts'
import { insertUser } from './store.ts'

/**
 * Adds a user of the built-in domain.
 * @returns the user's JSON
 * @throws Unauthorized, Malformed, ReusedKey
 */
export async function addUser(
  { db, vendor }: Services,
  caller: Caller,
  body: Static<typeof UserBody>,
  once: Once,
): Promise<string> {
  const { Email, UserName, Password, Enabled = true, Role = [] } = body
  if (UserName === undefined && !isUserName(Email)) {
    throw invalidMember('/Email', `must have ${longestUserName} characters at most where it is the UserName too`)
  }
  const user = {
    userName: UserName,
    email: Email,
    passwordHash: await hashPassword(Password),
    enabled: Enabled,
    roles: [...new Set(Role.map((name, index) => roleInBody(name, `/Role/${index}`)))],
  }
  return inTransaction(db, (trx) =>
    once(trx, async () => {
      await lockSiteAdmin(trx, caller)
      return JSON.stringify(await readUser(trx, await insertUser(trx, user), vendor))
    }),
  )
}

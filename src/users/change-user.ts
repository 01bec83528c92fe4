import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { hashPassword } from '../access/passwords.ts'
import { endSessionsOf } from '../access/sessions.ts'
import { lockSiteAdminsFor, refuseWithoutSiteAdmin } from '../access/site-admins.ts'
import { announce } from '../database/changes.ts'
import { builtInDomain, type Database, type Transaction } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { isEmailAddress, longestEmail } from '../email-address.ts'
import { invalidMember } from '../fault.ts'
import { notFound } from '../ids.ts'
import { isUserName, type UserChange, userNamePattern } from './schemas.ts'
import { takenFault } from './store.ts'

/**
 * Changes a user. Another password, and being disabled, end all their sessions.
 * @throws NotFound, Unauthorized, Malformed also when nobody would be left who can sign in as a Site Admin
 */
export async function changeUser(
  db: Database,
  caller: Caller,
  id: string,
  givenId: string,
  change: Static<typeof UserChange>,
): Promise<void> {
  const { UserName, Email, Password, Enabled } = change
  if (Password !== undefined && id === caller.userId) {
    throw invalidMember('/Password', 'is changed with PUT /api/users/{UserID}/password, which takes the present one')
  }
  const passwordHash = Password === undefined ? undefined : await hashPassword(Password)
  await inTransaction(db, async (trx) => {
    await lockSiteAdminsFor(trx, caller)
    await refuseWrongNames(trx, id, givenId, change)
    try {
      await trx
        .updateTable('app_user')
        .set({ updated: sql`date_trunc('milliseconds', now())` })
        .$if(UserName !== undefined, (update) => update.set({ user_name: UserName as string }))
        .$if(Email !== undefined, (update) => update.set({ email: Email as string }))
        .$if(Enabled !== undefined, (update) => update.set({ enabled: Enabled as boolean }))
        .$if(passwordHash !== undefined, (update) => update.set({ password_hash: passwordHash as string }))
        .where('id', '=', id)
        .execute()
    } catch (error) {
      throw takenFault(error)
    }
    if (Enabled === false) await refuseWithoutSiteAdmin(trx)
    if (Enabled === false || Password !== undefined) await endSessionsOf(trx, id, sql<boolean>`true`)
    else await announce(trx, { kind: 'user', id })
  })
}

/**
 * What is read can be sent back, whatever it is. The people of another domain have the name and address that it gives
 * them, and no password here.
 */
async function refuseWrongNames(
  trx: Transaction,
  id: string,
  givenId: string,
  { UserName, Email, Password }: Static<typeof UserChange>,
): Promise<void> {
  const user = await trx
    .selectFrom('app_user')
    .where('id', '=', id)
    .select(['domain_id', 'user_name', 'email'])
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!user) throw notFound('user', givenId)
  const isOurs = user.domain_id === builtInDomain
  for (const [member, given, kept, isFine, expected] of [
    ['UserName', UserName, user.user_name, isUserName, `must match pattern "${userNamePattern}"`],
    ['Email', Email, user.email, isEmailAddress, `must be an e-mail address of ${longestEmail} characters at most`],
    ['Password', Password, undefined, () => true, ''],
  ] as const) {
    if (given === undefined || given === kept) continue
    if (!isOurs)
      throw invalidMember(`/${member}`, "is the login domain's to say: the user is none of the built-in domain")
    if (!isFine(given)) throw invalidMember(`/${member}`, expected)
  }
}

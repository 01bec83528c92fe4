import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { hashPassword, verifyPassword } from '../access/passwords.ts'
import { endSessionsOf } from '../access/sessions.ts'
import { inTransaction } from '../database/transaction.ts'
import { invalidMember, Malformed } from '../fault.ts'
import type { Services } from '../services.ts'
import type { PasswordChange } from './schemas.ts'
import { readCounted, type Subjects } from './throttle.ts'
import { throttledPassword } from './ways/password.ts'

/**
 * Changes the caller's own password and ends their other sessions; `address` is where the request came from.
 * @throws Malformed, TooManyRequests
 */
export async function changePassword(
  { db, config }: Services,
  caller: Caller,
  { OldPassword, NewPassword }: Static<typeof PasswordChange>,
  address: string,
): Promise<void> {
  const { email, password_hash: before } = await db
    .selectFrom('app_user')
    .where('id', '=', caller.userId)
    .select(['email', 'password_hash'])
    .executeTakeFirstOrThrow()
  if (before === null) throw new Malformed('Your login domain keeps your password: change it there.')
  const attempt = { account: `email ${email}`, address, addressPerMinute: config.loginAddressPerMinute }
  const look = (subjects: Subjects) => readCounted(db, subjects)
  const after = await throttledPassword(db, attempt, look, async () =>
    (await verifyPassword(before, OldPassword)) ? hashPassword(NewPassword) : undefined,
  )
  if (after === undefined) throw wrongPassword()
  await inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('app_user')
      .set({ password_hash: after, updated: sql`date_trunc('milliseconds', now())` })
      .where('id', '=', caller.userId)
      .where('password_hash', '=', before)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw wrongPassword()
    await endSessionsOf(trx, caller.userId, sql<boolean>`id <> ${caller.sessionId}::uuid`)
  })
}

const wrongPassword = () => invalidMember('/OldPassword', 'is not your present password')

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { type Caller, notEntitled, signedInCaller } from '../access/caller.ts'
import { hashPassword, verifyPassword } from '../access/passwords.ts'
import { type AccessRule, signedIn } from '../access/rules.ts'
import { endSessionsOf } from '../access/sessions.ts'
import { inTransaction } from '../database/transaction.ts'
import { invalidMember, Malformed } from '../fault.ts'
import { UserID } from '../id-parameters.ts'
import { wireId } from '../ids.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import type { Trait } from '../traits.ts'
import { PasswordChange } from './schemas.ts'
import { readCounted, type Subjects } from './throttle.ts'
import { throttledPassword } from './ways/password.ts'

const self: AccessRule = { ...signedIn, permission: 'Must be signed in; the user themself.' }

const guarded: Trait = { statuses: { 429: 'The present password was wrong too often: wait.' } }

/** Changing one's own password, which takes the present one. */
export const ownPassword: FastifyPluginAsyncTypebox<Services> = async (app, { db, config, vendor }) => {
  app.put(
    '/api/users/:UserID/password',
    {
      config: { access: self, media: 'none', takes: jsonAndXml, traits: [guarded], examples: ['password'] },
      schema: {
        operationId: 'changePassword',
        tags: ['Users'],
        summary: 'Change your own password and end your other sessions',
        params: Type.Object({ UserID }),
        body: PasswordChange,
      },
    },
    async (request, reply) => {
      const caller = signedInCaller(request)
      if (request.params.UserID !== wireId(vendor, caller.userId))
        throw notEntitled(caller, 'this needs the user themself')
      await changePassword(caller, request.body, request.ip)
      app.forget({ kind: 'user', id: caller.userId })
      return reply.send()
    },
  )

  async function changePassword(caller: Caller, body: Static<typeof PasswordChange>, address: string): Promise<void> {
    const { email, password_hash: before } = await db
      .selectFrom('app_user')
      .where('id', '=', caller.userId)
      .select(['email', 'password_hash'])
      .executeTakeFirstOrThrow()
    if (before === null) throw new Malformed('Your login domain keeps your password: change it there.')
    const attempt = { account: `email ${email}`, address, addressPerMinute: config.loginAddressPerMinute }
    const look = (subjects: Subjects) => readCounted(db, subjects)
    const after = await throttledPassword(db, attempt, look, async () =>
      (await verifyPassword(before, body.OldPassword)) ? hashPassword(body.NewPassword) : undefined,
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
}

const wrongPassword = () => invalidMember('/OldPassword', 'is not your present password')

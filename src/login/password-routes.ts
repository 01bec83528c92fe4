import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { notEntitled, signedInCaller } from '../access/caller.ts'
import { type AccessRule, signedIn } from '../access/rules.ts'
import { UserID } from '../id-parameters.ts'
import { wireId } from '../ids.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import type { Trait } from '../traits.ts'
import { changePassword } from './change-password.ts'
import { PasswordChange } from './schemas.ts'

const self: AccessRule = { ...signedIn, permission: 'Must be signed in; the user themself.' }

const guarded: Trait = { statuses: { 429: 'The present password was wrong too often: wait.' } }

/** Changing one's own password, which takes the present one. */
export const ownPassword: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
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
      if (request.params.UserID !== wireId(services.vendor, caller.userId))
        throw notEntitled(caller, 'this needs the user themself')
      await changePassword(services, caller, request.body, request.ip)
      app.forget({ kind: 'user', id: caller.userId })
      return reply.send()
    },
  )
}

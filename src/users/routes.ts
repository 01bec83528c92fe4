import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { knownUserId } from '../access/known-user.ts'
import { roles } from '../access/roles.ts'
import { selfOrSiteAdmin, siteAdmin } from '../access/rules.ts'
import { UserID } from '../id-parameters.ts'
import { once, repeatable } from '../idempotency.ts'
import { storedId } from '../ids.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { addUser } from './add-user.ts'
import { changeRole } from './change-role.ts'
import { changeUser } from './change-user.ts'
import { readUser } from './read-user.ts'
import { User, UserBody, UserChange } from './schemas.ts'
import { grantRole, revokeRole } from './store.ts'

const tags = ['Users']

/** The people of the built-in login domain, and their roles. */
export const users: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const { db, vendor, keys } = services

  app.post(
    '/api/users',
    {
      config: { access: siteAdmin, media: jsonAndXml, traits: [repeatable], examples: ['user'] },
      schema: { operationId: 'addUser', tags, summary: 'Add a user', body: UserBody, response: { 200: User } },
    },
    async (request, reply) =>
      reply.document(await addUser(services, signedInCaller(request), request.body, once(request, keys))),
  )

  app.get(
    '/api/users/:UserID',
    {
      config: { access: selfOrSiteAdmin, media: jsonAndXml },
      schema: {
        operationId: 'readUser',
        tags,
        summary: 'Read a user',
        params: Type.Object({ UserID }),
        response: { 200: User },
      },
    },
    async (request) => readUser(db, knownUserId(vendor, signedInCaller(request), request.params.UserID), vendor),
  )

  app.put(
    '/api/users/:UserID',
    {
      config: { access: siteAdmin, media: jsonAndXml, examples: ['user-change'] },
      schema: {
        operationId: 'changeUser',
        tags,
        summary: 'Change a user',
        params: Type.Object({ UserID }),
        body: UserChange,
        response: { 200: User },
      },
    },
    async (request) => {
      const { UserID } = request.params
      const id = storedId(vendor, UserID, 'user')
      await changeUser(db, signedInCaller(request), id, UserID, request.body)
      app.forget({ kind: 'user', id })
      return readUser(db, id, vendor)
    },
  )

  for (const [method, operationId, summary, change] of [
    ['PUT', 'grantRole', 'Give a user a role', grantRole],
    ['DELETE', 'revokeRole', 'Take a role from a user', revokeRole],
  ] as const) {
    app.route({
      method,
      url: '/api/users/:UserID/roles/:Role',
      config: { access: siteAdmin, media: jsonAndXml },
      schema: {
        operationId,
        tags,
        summary,
        params: Type.Object({ UserID, Role: Type.String({ description: `One of ${roles.join(', ')}.` }) }),
        response: { 200: User },
      },
      handler: async (request) => {
        const { UserID, Role } = request.params
        const id = storedId(vendor, UserID, 'user')
        const changed = await changeRole(services, signedInCaller(request), id, Role, change)
        app.forget({ kind: 'user', id })
        return changed
      },
    })
  }
}

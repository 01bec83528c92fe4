import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { type Caller, signedInCaller } from '../access/caller.ts'
import { lockRights } from '../access/entitlement.ts'
import { knownUserId } from '../access/known-user.ts'
import { hashPassword } from '../access/passwords.ts'
import { selfOrSiteAdmin, siteAdmin } from '../access/rules.ts'
import { lockSiteAdmin, lockSiteAdmins } from '../access/site-admins.ts'
import type { Database, Role } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { invalidMember, NotFound } from '../fault.ts'
import { UserID } from '../id-parameters.ts'
import { type Once, once, repeatable } from '../idempotency.ts'
import { notFound, storedId, wireId } from '../ids.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { changeUser } from './change-user.ts'
import { User, UserBody, UserChange } from './schemas.ts'
import { grantRole, insertUser, readUser, revokeRole, roles } from './store.ts'
import { wireUser } from './wire.ts'

const tags = ['Users']

/** The people of the built-in login domain, and their roles. */
export const users: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor, keys }) => {
  app.post(
    '/api/users',
    {
      config: { access: siteAdmin, media: jsonAndXml, traits: [repeatable], examples: ['user'] },
      schema: { operationId: 'addUser', tags, summary: 'Add a user', body: UserBody, response: { 200: User } },
    },
    async (request, reply) => reply.document(await addUser(signedInCaller(request), request.body, once(request, keys))),
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
    async (request) => readWireUser(db, knownUserId(vendor, signedInCaller(request), request.params.UserID)),
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
      return readWireUser(db, id)
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
      handler: async (request) =>
        changeRole(change, signedInCaller(request), request.params.UserID, request.params.Role),
    })
  }

  async function addUser(caller: Caller, body: Static<typeof UserBody>, once: Once): Promise<string> {
    const { Email, UserName = Email, Password, Enabled = true, Role = [] } = body
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
        return JSON.stringify(await readWireUser(trx, await insertUser(trx, user)))
      }),
    )
  }

  async function changeRole(change: typeof grantRole, caller: Caller, userId: string, name: string) {
    const id = storedId(vendor, userId, 'user')
    const role = roles.find((known) => known === name)
    if (!role) throw new NotFound(`There is no role ${JSON.stringify(name)}; there are ${roles.join(', ')}.`)
    const changed = await inTransaction(db, async (trx) => {
      await lockSiteAdmins(trx)
      await lockRights(trx, id)
      await lockSiteAdmin(trx, caller)
      await readWireUser(trx, id)
      await change(trx, id, role)
      return readWireUser(trx, id)
    })
    app.forget({ kind: 'user', id })
    return changed
  }

  async function readWireUser(db: Database, id: string) {
    const user = await readUser(db, id)
    if (!user) throw notFound('user', wireId(vendor, id))
    return wireUser(user, vendor)
  }
}

function roleInBody(name: string, pointer: string): Role {
  const role = roles.find((known) => known === name)
  if (role) return role
  throw invalidMember(pointer, `must be one of ${roles.join(', ')}`)
}

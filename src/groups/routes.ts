import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type Caller, signedInCaller } from '../access/caller.ts'
import { type AccessRule, signedIn } from '../access/rules.ts'
import { inTransaction } from '../database/transaction.ts'
import { storedId } from '../ids.ts'
import { Text } from '../representation/formats.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { deleteMember, insertMember, lockGroup } from './store.ts'

const groupAdmin: AccessRule = {
  ...signedIn,
  permission: 'Must be signed in; a member of the group, or a Business Admin.',
}

const Member = Type.Object({ UserID: Text(200) }, { title: 'Member' })

/** Who administers what: the members of an API's admin group are its API Admins. */
export const groups: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor }) => {
  app.post(
    '/api/groups/:GroupID/members',
    {
      config: { access: groupAdmin, media: jsonAndXml },
      schema: {
        summary: 'Add a member to a group',
        params: Type.Object({ GroupID: Type.String() }),
        body: Member,
        response: { 200: Member },
      },
    },
    async (request) => {
      await changeMember(insertMember, signedInCaller(request), request.params.GroupID, request.body.UserID)
      return request.body
    },
  )

  app.delete(
    '/api/groups/:GroupID/members/:UserID',
    {
      config: { access: groupAdmin, media: 'none' },
      schema: {
        summary: 'Remove a member from a group',
        params: Type.Object({ GroupID: Type.String(), UserID: Type.String() }),
      },
    },
    async (request, reply) => {
      await changeMember(deleteMember, signedInCaller(request), request.params.GroupID, request.params.UserID)
      return reply.send()
    },
  )

  async function changeMember(change: typeof insertMember, caller: Caller, group: string, user: string): Promise<void> {
    const groupId = storedId(vendor, group, 'group')
    await inTransaction(db, async (trx) => {
      await lockGroup(trx, caller, groupId, group)
      await change(trx, groupId, storedId(vendor, user, 'user'), user)
    })
  }
}

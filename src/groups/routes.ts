import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type Caller, signedInCaller } from '../access/caller.ts'
import { type AccessRule, signedIn } from '../access/rules.ts'
import { inTransaction } from '../database/transaction.ts'
import { GroupID, UserID } from '../id-parameters.ts'
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

const tags = ['Groups']

/** Who administers what: the members of an API's admin group are its API Admins. */
export const groups: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor }) => {
  app.post(
    '/api/groups/:GroupID/members',
    {
      config: { access: groupAdmin, media: jsonAndXml, examples: ['member'] },
      schema: {
        operationId: 'addMember',
        tags,
        summary: 'Add a member to a group',
        params: Type.Object({ GroupID }),
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
        operationId: 'removeMember',
        tags,
        summary: 'Remove a member from a group',
        params: Type.Object({ GroupID, UserID }),
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

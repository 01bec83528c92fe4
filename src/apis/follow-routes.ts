import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { type AccessRule, signedIn } from '../access/rules.ts'
import { APIID } from '../id-parameters.ts'
import type { Services } from '../services.ts'
import { follow, unfollow } from './follow.ts'

const follower: AccessRule = { ...signedIn, permission: 'Must be signed in; Read permission on the API.' }

const tags = ['APIs']
const params = Type.Object({ APIID })

/** Who follows which API. */
export const followers: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  app.post(
    '/api/apis/:APIID/follow',
    {
      config: { access: follower, media: 'none' },
      schema: { operationId: 'followApi', tags, summary: 'Follow an API', params },
    },
    async (request, reply) => {
      await follow(services, signedInCaller(request), request.params.APIID)
      return reply.send()
    },
  )

  app.delete(
    '/api/apis/:APIID/follow',
    {
      config: { access: follower, media: 'none' },
      schema: { operationId: 'unfollowApi', tags, summary: 'Follow an API no more', params },
    },
    async (request, reply) => {
      await unfollow(services, signedInCaller(request), request.params.APIID)
      return reply.send()
    },
  )
}

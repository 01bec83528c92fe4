import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { modifier } from '../access/rules.ts'
import { APIID, APIVersionID } from '../id-parameters.ts'
import { conditionalChange, ifMatch } from '../representation/etag.ts'
import type { Services } from '../services.ts'
import { removeApi, removeVersion } from './remove.ts'

const tags = ['APIs']

/** Removing APIs and versions. */
export const removals: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  app.delete(
    '/api/apis/:APIID',
    {
      config: { access: modifier, media: 'none', traits: [conditionalChange] },
      schema: {
        operationId: 'removeApi',
        tags,
        summary: 'Remove an API with its versions',
        params: Type.Object({ APIID }),
      },
    },
    async (request, reply) => {
      await removeApi(services, signedInCaller(request), request.params.APIID, ifMatch(request))
      return reply.send()
    },
  )

  app.delete(
    '/api/apis/versions/:APIVersionID',
    {
      config: { access: modifier, media: 'none', traits: [conditionalChange] },
      schema: {
        operationId: 'removeVersion',
        tags,
        summary: 'Remove an API version, and with the last one its API',
        params: Type.Object({ APIVersionID }),
      },
    },
    async (request, reply) => {
      await removeVersion(services, signedInCaller(request), request.params.APIVersionID, ifMatch(request))
      return reply.send()
    },
  )
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { type AccessRule, signedIn } from '../access/rules.ts'
import { APIVersionID, UserID } from '../id-parameters.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { rate } from './rate.ts'
import { Rating, RatingBody } from './rating-schemas.ts'

const rater: AccessRule = {
  ...signedIn,
  permission: 'Must be signed in; the user themself, with Read permission on the API version.',
}

const tags = ['API versions']
const params = Type.Object({ APIVersionID, UserID })

/** What users think of versions. */
export const versionRatings: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  app.put(
    '/api/apis/versions/:APIVersionID/ratings/:UserID',
    {
      config: { access: rater, media: jsonAndXml, examples: ['rating'] },
      schema: {
        operationId: 'rateVersion',
        tags,
        summary: 'Rate an API version',
        params,
        body: RatingBody,
        response: { 200: Rating },
      },
    },
    async (request) => {
      const { APIVersionID, UserID } = request.params
      const { Rating } = request.body
      await rate(services, signedInCaller(request), APIVersionID, UserID, Rating)
      return { ID: APIVersionID, UserID, Rating }
    },
  )

  app.delete(
    '/api/apis/versions/:APIVersionID/ratings/:UserID',
    {
      config: { access: rater, media: 'none' },
      schema: { operationId: 'unrateVersion', tags, summary: 'Take back the rating of an API version', params },
    },
    async (request, reply) => {
      const { APIVersionID, UserID } = request.params
      await rate(services, signedInCaller(request), APIVersionID, UserID, null)
      return reply.send()
    },
  )
}

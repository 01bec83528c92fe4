import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { signedIn } from '../access/rules.ts'
import { pageOf } from '../lists/page-of.ts'
import { paged, placeParameters } from '../lists/parameters.ts'
import { firstByName } from '../lists/sort.ts'
import { about, Text } from '../representation/formats.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { PolicyChannel } from './schemas.ts'
import { readPolicies } from './store.ts'
import { policyChannel } from './wire.ts'

/** The policies that versions can name. */
export const policies: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor, keys }) => {
  app.get(
    '/api/policies',
    {
      config: { access: signedIn, media: jsonAndXml, traits: [paged] },
      schema: {
        operationId: 'listPolicies',
        tags: ['Policies'],
        summary: 'List policies',
        querystring: Type.Object({ ...placeParameters, Type: Type.Optional(about('A PolicyType.', Text(255))) }),
        response: { 200: PolicyChannel },
      },
    },
    async (request, reply) => {
      const type = request.query.Type || null
      const page = await pageOf(request, reply, keys, firstByName, [(place) => readPolicies(db, type, place)])
      return policyChannel(page, vendor)
    },
  )
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { modifier } from '../access/rules.ts'
import { checkModifiable } from '../api-versions/permission.ts'
import { APIVersionID } from '../id-parameters.ts'
import { storedId } from '../ids.ts'
import { pageOf } from '../lists/page-of.ts'
import { newestFirst, paged, placeParameters } from '../lists/parameters.ts'
import { endsOf } from '../lists/sort.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { readConsumers } from './consumers.ts'
import { Consumers } from './schemas.ts'
import { wireConsumer } from './wire.ts'

/** Who still reads deprecated versions. */
export const consumers: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor, keys }) => {
  app.get(
    '/api/apis/versions/:APIVersionID/consumers',
    {
      config: { access: modifier, media: jsonAndXml, traits: [paged] },
      schema: {
        operationId: 'listConsumers',
        tags: ['Deprecations'],
        summary: 'List who has read an API version since it is deprecated, the last first',
        params: Type.Object({ APIVersionID }),
        querystring: Type.Object(placeParameters),
        response: { 200: Consumers },
      },
    },
    async (request, reply) => {
      const { APIVersionID } = request.params
      const id = storedId(vendor, APIVersionID, 'version')
      await checkModifiable(db, signedInCaller(request), id, APIVersionID)
      await app.writeReads()
      const rows = await pageOf(request, reply, keys, endsOf(newestFirst).start, [
        (place) => readConsumers(db, id, place),
      ])
      return rows.map((row) => wireConsumer(row, vendor))
    },
  )
}

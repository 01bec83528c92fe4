import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { modifier } from '../access/rules.ts'
import { APIVersionID } from '../id-parameters.ts'
import { storedId } from '../ids.ts'
import { pageOf } from '../lists/page-of.ts'
import { paged, placeParameters } from '../lists/parameters.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { newestRevision, readHistory } from './history.ts'
import { History } from './history-schemas.ts'
import { wireEntry } from './history-wire.ts'
import { checkModifiable } from './permission.ts'

/** What happened to versions. */
export const versionHistory: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor, keys }) => {
  app.get(
    '/api/apis/versions/:APIVersionID/history',
    {
      config: { access: modifier, media: jsonAndXml, traits: [paged] },
      schema: {
        operationId: 'listHistory',
        tags: ['API versions'],
        summary: 'List the changes of an API version, the newest first',
        params: Type.Object({ APIVersionID }),
        querystring: Type.Object(placeParameters),
        response: { 200: History },
      },
    },
    async (request, reply) => {
      const { APIVersionID } = request.params
      const id = storedId(vendor, APIVersionID, 'version')
      await checkModifiable(db, signedInCaller(request), id, APIVersionID)
      const rows = await pageOf(request, reply, keys, newestRevision, [(place) => readHistory(db, id, place)])
      return rows.map((row) => wireEntry(row, vendor))
    },
  )
}

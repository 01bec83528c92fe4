import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { addressFor } from '../address.ts'
import { ApiChannel } from '../apis/list-schemas.ts'
import { apiChannel } from '../apis/list-wire.ts'
import { pageOf } from '../lists/page-of.ts'
import { paged, placeParameters, sortParameter } from '../lists/parameters.ts'
import { listRule } from '../lists/rule.ts'
import { endsOf } from '../lists/sort.ts'
import { about, Text } from '../representation/formats.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { askedSearch, sorts } from './asked-search.ts'

const tags = ['Search']

/** Finding APIs by words. */
export const search: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor, keys, config }) => {
  app.get(
    '/api/search',
    {
      config: { access: listRule, media: jsonAndXml, traits: [paged] },
      schema: {
        operationId: 'searchApis',
        tags,
        summary: 'Search APIs',
        querystring: Type.Object({
          q: about('Words of names, descriptions, tags, operations and paths.', Text(500)),
          sort: sortParameter(sorts),
          order: Type.Optional(about('asc or desc, where it is not sorted by relevance.', Text(100))),
          ...placeParameters,
        }),
        response: { 200: ApiChannel },
      },
    },
    async (request, reply) => {
      const { sort, sections } = await askedSearch(db, request)
      const apis = await pageOf(request, reply, keys, endsOf(sort).start, sections)
      return apiChannel('Search', apis, addressFor(request, config.publicUrl), vendor)
    },
  )
}

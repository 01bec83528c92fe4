import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { readerOf } from '../access/caller.ts'
import { addressFor } from '../address.ts'
import { ApiChannel } from '../apis/list-schemas.ts'
import { apiChannel } from '../apis/list-wire.ts'
import type { PlaceValues } from '../lists/listed.ts'
import { pageOf } from '../lists/page-of.ts'
import { invalidParameter, newestFirst, paged, pageParameters, readSort } from '../lists/parameters.ts'
import { listReader } from '../lists/readers.ts'
import { listRule } from '../lists/rule.ts'
import { about, Text } from '../representation/formats.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { readSought } from './query.ts'
import { readByRelevance, readFound } from './sections.ts'

const relevance = 'relevance'

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
          ...pageParameters,
        }),
        response: { 200: ApiChannel },
      },
    },
    async (request, reply) => {
      const { query, caller } = request
      const isByRelevance = (query.sort || relevance) === relevance
      if (isByRelevance && query.order) throw invalidParameter('order', `goes with another sort than ${relevance}`)
      const sort = isByRelevance ? newestFirst : readSort(query, [relevance])
      const sought = readSought(query.q)
      const reader = await listReader(db, readerOf(caller))
      const sections = !sought
        ? []
        : (isByRelevance ? readByRelevance : [readFound]).map(
            (read) => (place: PlaceValues) => read(db, sort, reader, sought, place),
          )
      const apis = await pageOf(request, reply, keys, sort, sections)
      return apiChannel('Search', apis, addressFor(request, config.publicUrl), vendor)
    },
  )
}

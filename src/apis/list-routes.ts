import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { addressFor } from '../address.ts'
import { askedList } from '../api-versions/asked-list.ts'
import { pageOf } from '../lists/page-of.ts'
import { filterParameters, narrowedToUser, paged, pageParameters } from '../lists/parameters.ts'
import { listRule } from '../lists/rule.ts'
import { endsOf } from '../lists/sort.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { ApiChannel } from './list-schemas.ts'
import { apiChannel } from './list-wire.ts'
import { readApis } from './listed.ts'

const tags = ['APIs']

/** The list of APIs. */
export const apiList: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const { db, vendor, keys, config } = services

  app.get(
    '/api/apis',
    {
      config: { access: listRule, media: jsonAndXml, traits: [paged, narrowedToUser] },
      schema: {
        operationId: 'listApis',
        tags,
        summary: 'List APIs',
        querystring: Type.Object({ ...pageParameters, ...filterParameters }),
        response: { 200: ApiChannel },
      },
    },
    async (request, reply) => {
      const { sort, filters, reader } = await askedList(services, request)
      const apis = await pageOf(request, reply, keys, endsOf(sort).start, [
        (place) => readApis(db, sort, reader, filters, place),
      ])
      return apiChannel('APIs', apis, addressFor(request, config.publicUrl), vendor)
    },
  )
}

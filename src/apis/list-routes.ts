import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { readerOf } from '../access/caller.ts'
import { addressFor } from '../address.ts'
import { administratorOf } from '../lists/administered.ts'
import { readFilters } from '../lists/filters.ts'
import { pageOf } from '../lists/page-of.ts'
import {
  adminParameter,
  filterParameters,
  paged,
  pageParameters,
  readSort,
  readVisibility,
} from '../lists/parameters.ts'
import { listReader } from '../lists/readers.ts'
import { listRule } from '../lists/rule.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { checkStateParameter } from '../workflow/current.ts'
import { ApiChannel } from './list-schemas.ts'
import { apiChannel } from './list-wire.ts'
import { readApis } from './listed.ts'

const tags = ['APIs']

/** The list of APIs. */
export const apiList: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor, keys, config }) => {
  app.get(
    '/api/apis',
    {
      config: { access: listRule, media: jsonAndXml, traits: [paged] },
      schema: {
        operationId: 'listApis',
        tags,
        summary: 'List APIs',
        querystring: Type.Object({ ...pageParameters, ...filterParameters, ...adminParameter }),
        response: { 200: ApiChannel },
      },
    },
    async (request, reply) => {
      const { query, caller } = request
      const sort = readSort(query)
      const filters = readFilters(query)
      await checkStateParameter(db, vendor, query.state)
      const visibility = readVisibility(query.visibility, vendor)
      const who = query.admin ? await administratorOf(db, caller, query.admin, vendor) : readerOf(caller)
      const reader = await listReader(db, who, visibility)
      const apis = await pageOf(request, reply, keys, sort, [(place) => readApis(db, sort, reader, filters, place)])
      return apiChannel('APIs', apis, addressFor(request, config.publicUrl), vendor)
    },
  )
}

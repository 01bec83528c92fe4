import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { reader } from '../access/rules.ts'
import { addressFor } from '../address.ts'
import { tellReaderOfShown, tellsDeprecations } from '../deprecated-reads/headers.ts'
import { APIID } from '../id-parameters.ts'
import { storedId } from '../ids.ts'
import type { filteredRows } from '../lists/filters.ts'
import { pageOf } from '../lists/page-of.ts'
import { filterParameters, narrowedToUser, paged, pageParameters } from '../lists/parameters.ts'
import { listRule } from '../lists/rule.ts'
import { endsOf } from '../lists/sort.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { askedList } from './asked-list.ts'
import { APIVersions, VersionChannel } from './list-schemas.ts'
import { versionChannel, versionDocuments } from './list-wire.ts'
import { readDocuments, readVersions } from './listed.ts'
import { checkReadable, deprecationsOf, readVersionsOf } from './versions-of-api.ts'

const tags = ['API versions']

/** The lists of versions. */
export const apiVersionLists: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const { db, vendor, keys, config } = services

  app.get(
    '/api/apis/versions',
    {
      config: { access: listRule, media: jsonAndXml, since: { v72: APIVersions }, traits: [paged, narrowedToUser] },
      schema: {
        operationId: 'listVersions',
        tags,
        summary: 'List API versions',
        querystring: Type.Object({ ...pageParameters, ...filterParameters }),
        response: { 200: VersionChannel },
      },
    },
    async (request, reply) => {
      const { sort, filters, reader } = await askedList(services, request)
      const page = <Row>(read: ReturnType<typeof filteredRows<Row>>) =>
        pageOf(request, reply, keys, endsOf(sort).start, [(place) => read(db, sort, reader, filters, place)])
      if (request.shape === APIVersions) return reply.document(versionDocuments(await page(readDocuments)))
      const versions = await page(readVersions)
      return reply.send(versionChannel(versions, addressFor(request, config.publicUrl), vendor))
    },
  )

  app.get(
    '/api/apis/:APIID/versions',
    {
      config: { access: reader, media: jsonAndXml, traits: [paged, tellsDeprecations] },
      schema: {
        operationId: 'listVersionsOfApi',
        tags,
        summary: 'List the versions of an API',
        params: Type.Object({ APIID }),
        querystring: Type.Object({ ...pageParameters, ...filterParameters }),
        response: { 200: VersionChannel },
      },
    },
    async (request, reply) => {
      const { APIID } = request.params
      const apiId = storedId(vendor, APIID, 'API')
      await checkReadable(db, request.caller, apiId, APIID)
      const { sort, filters, reader } = await askedList(services, request)
      const versions = await pageOf(request, reply, keys, endsOf(sort).start, [
        (place) => readVersionsOf(db, sort, reader, { ...filters, apiId }, place),
      ])
      tellReaderOfShown(reply, deprecationsOf(versions), vendor)
      return versionChannel(versions, addressFor(request, config.publicUrl), vendor)
    },
  )
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { renewsToken } from '../access/renewal.ts'
import { type AccessRule, modifier, reader, signedIn } from '../access/rules.ts'
import { addressFor } from '../address.ts'
import { APIVersion } from '../api-versions/schemas.ts'
import { successorLink } from '../deprecated-operations.ts'
import { tellReaderOfShown, tellsDeprecations } from '../deprecated-reads/headers.ts'
import { APIID, APIVersionID } from '../id-parameters.ts'
import { once, repeatable } from '../idempotency.ts'
import { storedId, wireId } from '../ids.ts'
import { conditionalChange, conditionalRead, ifMatch, unlessKnown } from '../representation/etag.ts'
import { jsonAndXml, jsonAndXmlUpToV80, jsonAndXmlV81 } from '../representation/media-types.ts'
import { newer } from '../representation/newer-operation.ts'
import type { Services } from '../services.ts'
import type { Trait } from '../traits.ts'
import { addApi } from './add-api.ts'
import { addApiV81 } from './add-api-v81.ts'
import { changeInfo } from './change-info.ts'
import { AddAPIRequest } from './newer-schemas.ts'
import { API, APIBody, APIChange, APIVersionInfo } from './schemas.ts'
import { readApi } from './store.ts'
import { updateApi } from './update-api.ts'
import { apiDocument, apiState } from './wire.ts'

const adder: AccessRule = {
  ...signedIn,
  permission: 'Must be signed in; a Business Admin, or anyone where the operator allows it.',
}

const fromFile: Trait = { statuses: { 404: 'DLDescriptor names a file that does not exist.' } }
const tags = ['APIs']

/** The catalogue's entries. */
export const apis: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const { db, vendor, keys, config } = services
  const renews = renewsToken(vendor)

  app.get(
    '/api/apis/:APIID',
    {
      config: { access: reader, media: jsonAndXml, traits: [conditionalRead, tellsDeprecations] },
      schema: {
        operationId: 'readApi',
        tags,
        summary: 'Read an API',
        params: Type.Object({ APIID }),
        querystring: Type.Object({
          includeDefaultVersion: Type.Optional(
            Type.Boolean({ description: 'Whether to nest the latest version that lists show the caller.' }),
          ),
        }),
        response: { 200: API },
      },
    },
    async (request, reply) => {
      const { APIID } = request.params
      const { includeDefaultVersion = false } = request.query
      const api = await readApi(db, request.caller, storedId(vendor, APIID, 'API'), APIID, includeDefaultVersion)
      if (api.deprecation) tellReaderOfShown(reply, [api.deprecation], vendor)
      const address = addressFor(request, config.publicUrl)
      return unlessKnown(reply, apiState(api, address), api, (read) =>
        reply.document(apiDocument(read, vendor, address)),
      )
    },
  )

  app.post(
    '/api/apis',
    {
      config: { access: adder, media: jsonAndXmlUpToV80, traits: [repeatable, renews], examples: ['api'] },
      schema: {
        operationId: 'addApi',
        tags,
        summary: 'Add an API with its first version',
        body: APIBody,
        response: { 200: API },
      },
    },
    async (request, reply) => {
      const added = await addApi(
        services,
        signedInCaller(request),
        request.body,
        once(request, keys),
        addressFor(request, config.publicUrl),
      )
      return reply.header(vendor.renewHeader, 'renew').document(added)
    },
  )

  app.post(
    '/api/apis',
    {
      constraints: newer,
      config: {
        access: adder,
        media: jsonAndXmlV81,
        traits: [repeatable, renews, fromFile],
        examples: ['api-from-name', 'api-of-proxy'],
      },
      schema: {
        operationId: 'addApiV81',
        tags,
        summary: 'Add an API with its first version, of a name or from a file',
        body: AddAPIRequest,
        response: { 200: API },
      },
    },
    async (request, reply) => {
      const added = await addApiV81(
        services,
        signedInCaller(request),
        request.body,
        once(request, keys),
        addressFor(request, config.publicUrl),
      )
      return reply.header(vendor.renewHeader, 'renew').document(added)
    },
  )

  app.put(
    '/api/apis/:APIID',
    {
      config: {
        access: modifier,
        media: jsonAndXmlUpToV80,
        deprecated: {
          by: 'PUT /api/apis/versions/{APIVersionID}/info',
          // The path does not tell which version is meant; the answer does.
          successor: () => '/docs#PUT-api-apis-versions-APIVersionID-info',
        },
        traits: [conditionalChange, renews],
        examples: ['api-change'],
      },
      schema: {
        operationId: 'updateApi',
        tags,
        summary: 'Update an API, and one version of it, or add a version',
        params: Type.Object({ APIID }),
        body: APIChange,
        response: { 200: API },
      },
    },
    async (request, reply) => {
      const { document, versionId, added } = await updateApi(
        services,
        signedInCaller(request),
        request.params.APIID,
        request.body,
        ifMatch(request),
        addressFor(request, config.publicUrl),
      )
      if (added) reply.header(vendor.renewHeader, 'renew')
      reply.header('link', successorLink(`/api/apis/versions/${wireId(vendor, versionId)}/info`))
      return reply.document(document)
    },
  )

  app.put(
    '/api/apis/versions/:APIVersionID/info',
    {
      config: { access: modifier, media: jsonAndXml, traits: [conditionalChange], examples: ['info'] },
      schema: {
        operationId: 'changeInfo',
        tags,
        summary: 'Change what people read of an API and one of its versions',
        params: Type.Object({ APIVersionID }),
        body: APIVersionInfo,
        response: { 200: APIVersion },
      },
    },
    async (request, reply) =>
      reply.document(
        await changeInfo(
          services,
          signedInCaller(request),
          request.params.APIVersionID,
          request.body,
          ifMatch(request),
        ),
      ),
  )
}

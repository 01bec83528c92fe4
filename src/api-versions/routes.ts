import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { renewsToken } from '../access/renewal.ts'
import { modifier, reader } from '../access/rules.ts'
import { tellReader, tellsDeprecation } from '../deprecated-reads/headers.ts'
import { APIID, APIVersionID } from '../id-parameters.ts'
import { once, repeatable } from '../idempotency.ts'
import { storedId } from '../ids.ts'
import { conditionalChange, conditionalRead, ifMatch, knownStates, unlessKnown } from '../representation/etag.ts'
import { jsonAndXml, jsonAndXmlUpToV80, jsonAndXmlV81 } from '../representation/media-types.ts'
import { newer } from '../representation/newer-operation.ts'
import type { Services } from '../services.ts'
import { addVersion } from './add-version.ts'
import { addVersionV81 } from './add-version-v81.ts'
import { includeParameters, leftOut } from './left-out.ts'
import { AddAPIVersionRequest } from './newer-schemas.ts'
import { putVersion } from './put-version.ts'
import { APIVersion, ReadAPIVersion, VersionBody } from './schemas.ts'
import { readVersion } from './store.ts'

const tags = ['API versions']

/** The versions of APIs. */
export const apiVersions: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const { db, vendor, keys } = services
  const renews = renewsToken(vendor)

  app.get(
    '/api/apis/versions/:APIVersionID',
    {
      config: { access: reader, media: jsonAndXml, traits: [conditionalRead, tellsDeprecation] },
      schema: {
        operationId: 'readVersion',
        tags,
        summary: 'Read an API version',
        params: Type.Object({ APIVersionID }),
        querystring: Type.Object(includeParameters),
        response: { 200: ReadAPIVersion },
      },
    },
    async (request, reply) => {
      const { APIVersionID } = request.params
      const id = storedId(vendor, APIVersionID, 'version')
      const unwanted = leftOut(request.query)
      const known = knownStates(request, unwanted.variant)
      const { state, doc, deprecation } = await readVersion(db, request.caller, id, APIVersionID, known)
      if (deprecation) tellReader(reply, deprecation, vendor)
      return unlessKnown(reply, state, doc, (text) => reply.document(text, unwanted.members), unwanted.variant)
    },
  )

  app.post(
    '/api/apis/:APIID/versions',
    {
      config: {
        access: modifier,
        media: jsonAndXmlUpToV80,
        deprecated: {
          by: 'POST /api/apis/{APIID}/versions with v81 media types',
          successor: ({ APIID = '' }) => `/api/apis/${encodeURIComponent(APIID)}/versions`,
        },
        traits: [repeatable, conditionalChange, renews],
        examples: ['version'],
      },
      schema: {
        operationId: 'addVersion',
        tags,
        summary: 'Add an API version',
        params: Type.Object({ APIID }),
        body: VersionBody,
        response: { 200: APIVersion },
      },
    },
    async (request, reply) => {
      const added = await addVersion(
        services,
        signedInCaller(request),
        request.params.APIID,
        request.body,
        ifMatch(request),
        once(request, keys),
      )
      return reply.header(vendor.renewHeader, 'renew').document(added)
    },
  )

  app.post(
    '/api/apis/:APIID/versions',
    {
      constraints: newer,
      config: {
        access: modifier,
        media: jsonAndXmlV81,
        traits: [repeatable, conditionalChange, renews],
        examples: ['version-from-scratch', 'version-from-another'],
      },
      schema: {
        operationId: 'addVersionV81',
        tags,
        summary: 'Add an API version from scratch, from another version or from a file',
        params: Type.Object({ APIID }),
        body: AddAPIVersionRequest,
        response: { 200: APIVersion },
      },
    },
    async (request, reply) => {
      const added = await addVersionV81(
        services,
        signedInCaller(request),
        request.params.APIID,
        request.body,
        ifMatch(request),
        once(request, keys),
      )
      return reply.header(vendor.renewHeader, 'renew').document(added)
    },
  )

  app.put(
    '/api/apis/versions/:APIVersionID',
    {
      config: { access: modifier, media: jsonAndXml, traits: [conditionalChange], examples: ['version'] },
      schema: {
        operationId: 'replaceVersion',
        tags,
        summary: 'Replace an API version',
        params: Type.Object({ APIVersionID }),
        body: VersionBody,
        response: { 200: APIVersion },
      },
    },
    async (request, reply) =>
      reply.document(
        await putVersion(
          services,
          signedInCaller(request),
          request.params.APIVersionID,
          request.body,
          ifMatch(request),
        ),
      ),
  )
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { modifier, reader } from '../access/rules.ts'
import { once } from '../idempotency.ts'
import { storedId } from '../ids.ts'
import { ifMatch, knownState, unlessKnown } from '../representation/etag.ts'
import { jsonAndXml, jsonAndXmlUpToV80, jsonAndXmlV81 } from '../representation/media-types.ts'
import { newer } from '../representation/newer-operation.ts'
import type { Services } from '../services.ts'
import { addVersion } from './add-version.ts'
import { addVersionV81 } from './add-version-v81.ts'
import { includeParameters, leftOut, without } from './left-out.ts'
import { AddAPIVersionRequest } from './newer-schemas.ts'
import { putVersion } from './put-version.ts'
import { APIVersion, ReadAPIVersion, VersionBody } from './schemas.ts'
import { readVersion } from './store.ts'

/** The versions of APIs. */
export const apiVersions: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const { db, vendor, keys } = services

  app.get(
    '/api/apis/versions/:APIVersionID',
    {
      config: { access: reader, media: jsonAndXml },
      schema: {
        summary: 'Read an API version',
        params: Type.Object({ APIVersionID: Type.String() }),
        querystring: Type.Object(includeParameters),
        response: { 200: ReadAPIVersion },
      },
    },
    async (request, reply) => {
      const { APIVersionID } = request.params
      const id = storedId(vendor, APIVersionID, '[apiversion]')
      const unwanted = leftOut(request.query)
      const known = knownState(request, unwanted.state)
      const { state, doc } = await readVersion(db, request.caller, id, APIVersionID, known)
      return unlessKnown(reply, state + unwanted.state, () => reply.document(without(doc as string, unwanted)))
    },
  )

  app.post(
    '/api/apis/:APIID/versions',
    {
      config: {
        access: modifier,
        media: jsonAndXmlUpToV80,
        deprecated: { successor: ({ APIID = '' }) => `/api/apis/${encodeURIComponent(APIID)}/versions` },
      },
      schema: {
        summary: 'Add an API version',
        params: Type.Object({ APIID: Type.String() }),
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
        once(request, keys),
      )
      return reply.header(vendor.renewHeader, 'renew').document(added)
    },
  )

  app.post(
    '/api/apis/:APIID/versions',
    {
      constraints: newer,
      config: { access: modifier, media: jsonAndXmlV81 },
      schema: {
        summary: 'Add an API version from scratch, from another version or from a file',
        params: Type.Object({ APIID: Type.String() }),
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
        once(request, keys),
      )
      return reply.header(vendor.renewHeader, 'renew').document(added)
    },
  )

  app.put(
    '/api/apis/versions/:APIVersionID',
    {
      config: { access: modifier, media: jsonAndXml },
      schema: {
        summary: 'Replace an API version',
        params: Type.Object({ APIVersionID: Type.String() }),
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

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { type AccessRule, reader, signedIn } from '../access/rules.ts'
import { storedId } from '../ids.ts'
import { jsonAndXml, jsonAndXmlUpToV80 } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { addApi } from './add-api.ts'
import { API, APIBody } from './schemas.ts'
import { readApi } from './store.ts'
import { wireApi } from './wire.ts'

const adder: AccessRule = {
  ...signedIn,
  permission: 'Must be signed in; a Business Admin, or anyone where the operator allows it.',
}

/** The catalogue's entries. */
export const apis: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const { db, vendor } = services

  app.get(
    '/api/apis/:APIID',
    {
      config: { access: reader, media: jsonAndXml },
      schema: {
        summary: 'Read an API',
        params: Type.Object({ APIID: Type.String() }),
        querystring: Type.Object({ includeDefaultVersion: Type.Optional(Type.Boolean()) }),
        response: { 200: API },
      },
    },
    async ({ params: { APIID }, query: { includeDefaultVersion = false }, caller }) =>
      wireApi(await readApi(db, caller, storedId(vendor, APIID, '[api]'), APIID, includeDefaultVersion), vendor),
  )

  app.post(
    '/api/apis',
    {
      config: { access: adder, media: jsonAndXmlUpToV80 },
      schema: { summary: 'Add an API with its first version', body: APIBody, response: { 200: API } },
    },
    async (request, reply) => {
      const added = await addApi(services, signedInCaller(request), request.body)
      return reply.header(vendor.renewHeader, 'renew').send(added)
    },
  )
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { modifier, reader } from '../access/rules.ts'
import { APIVersionID } from '../id-parameters.ts'
import { storedId } from '../ids.ts'
import { conditionalChange, ifMatch } from '../representation/etag.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { deprecate, undeprecate } from './deprecate.ts'
import { Deprecation, DeprecationBody } from './schemas.ts'
import { readDeprecation } from './store.ts'
import { wireDeprecation } from './wire.ts'

const tags = ['Deprecations']
const params = Type.Object({ APIVersionID })

/** The deprecation of a version. */
export const deprecations: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const { db, vendor } = services

  app.get(
    '/api/apis/versions/:APIVersionID/deprecation',
    {
      config: { access: reader, media: jsonAndXml },
      schema: {
        operationId: 'readDeprecation',
        tags,
        summary: 'Read since when and why an API version is deprecated',
        params,
        response: { 200: Deprecation },
      },
    },
    async (request) => {
      const { APIVersionID } = request.params
      const id = storedId(vendor, APIVersionID, 'version')
      return wireDeprecation(await readDeprecation(db, request.caller, id, APIVersionID), vendor)
    },
  )

  app.put(
    '/api/apis/versions/:APIVersionID/deprecation',
    {
      config: { access: modifier, media: jsonAndXml, traits: [conditionalChange], examples: ['deprecation'] },
      schema: {
        operationId: 'deprecateVersion',
        tags,
        summary: 'Make an API version deprecated',
        params,
        body: DeprecationBody,
        response: { 200: Deprecation },
      },
    },
    async (request) => {
      const { params, body } = request
      const caller = signedInCaller(request)
      return wireDeprecation(await deprecate(services, caller, params.APIVersionID, body, ifMatch(request)), vendor)
    },
  )

  app.delete(
    '/api/apis/versions/:APIVersionID/deprecation',
    {
      config: { access: modifier, media: 'none', traits: [conditionalChange] },
      schema: {
        operationId: 'undeprecateVersion',
        tags,
        summary: 'Make an API version deprecated no more',
        params,
      },
    },
    async (request, reply) => {
      await undeprecate(services, signedInCaller(request), request.params.APIVersionID, ifMatch(request))
      return reply.send()
    },
  )
}

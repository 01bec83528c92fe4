import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { reader } from '../access/rules.ts'
import { readOriginal } from '../dropbox/store.ts'
import { NotFound } from '../fault.ts'
import { storedId } from '../ids.ts'
import { json, jsonAndYaml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { attachment } from './attachment.ts'
import type { Described, Description as Written } from './described.ts'
import { omissionHeader } from './omission-header.ts'
import { Description, Swagger11 } from './schemas.ts'
import { specification } from './specifications.ts'
import { readDescribed } from './store.ts'
import { swagger11 } from './swagger11.ts'

/** Descriptions of API versions in the formats that tools read. */
export const descriptions: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor }) => {
  app.get(
    '/api/apis/versions/:APIVersionID/swagger/*',
    {
      config: {
        access: reader,
        media: json,
        deprecated: {
          successor: ({ APIVersionID = '' }) =>
            `/api/apis/versions/${encodeURIComponent(APIVersionID)}/definition/swagger`,
        },
      },
      schema: {
        summary: 'Export Swagger 1.1 description',
        params: Type.Object({ APIVersionID: Type.String(), '*': Type.String() }),
        querystring: Type.Object({
          APIName: Type.Optional(Type.String()),
          locale: Type.Optional(Type.String({ format: 'language-tag' })),
        }),
        response: { 200: Swagger11 },
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const selection = { path: params['*'], operation: query.APIName }
      return describe(request, reply, params.APIVersionID, (described) => swagger11(described, selection))
    },
  )

  app.get(
    '/api/apis/versions/:APIVersionID/definition/:Specification',
    {
      config: { access: reader, media: jsonAndYaml },
      schema: {
        summary: 'Describe an API version in a format',
        params: Type.Object({ APIVersionID: Type.String(), Specification: Type.String() }),
        querystring: Type.Object({ original: Type.Optional(Type.Boolean()) }),
        response: { 200: Description },
      },
    },
    async (request, reply) => {
      const { APIVersionID, Specification } = request.params
      if (request.query.original) return sendOriginal(request, reply, APIVersionID)
      return describe(request, reply, APIVersionID, specification(Specification))
    },
  )

  async function describe(
    request: FastifyRequest,
    reply: FastifyReply,
    versionId: string,
    write: (described: Described) => Written,
  ): Promise<FastifyReply> {
    const id = storedId(vendor, versionId, '[apiversion]')
    const described = await readDescribed(db, request.caller, id, versionId)
    const { document, unsaid = [] } = write(described)
    if (unsaid.length > 0) reply.header('x-not-expressed', omissionHeader(unsaid))
    const extension = request.answer?.format === 'yaml' ? 'yaml' : 'json'
    reply.header('content-disposition', attachment(`${described.apiName}.${extension}`))
    return extension === 'yaml' ? reply.send(document) : reply.document(JSON.stringify(document))
  }
  /** The document that the version was imported from, to the byte, whatever format was asked for. */
  async function sendOriginal(request: FastifyRequest, reply: FastifyReply, versionId: string): Promise<FastifyReply> {
    const id = storedId(vendor, versionId, '[apiversion]')
    await readDescribed(db, request.caller, id, versionId)
    const original = await readOriginal(db, id)
    if (!original) throw new NotFound('This API version was not imported from a document.')
    reply.header('content-disposition', attachment(original.fileName))
    return reply.type(`${original.mediaType}; charset=utf-8`).send(original.bytes)
  }
}

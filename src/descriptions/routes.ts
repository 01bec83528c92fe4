import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { reader } from '../access/rules.ts'
import { tellReader, tellsDeprecation } from '../deprecated-reads/headers.ts'
import { readOriginal } from '../dropbox/store.ts'
import { NotFound } from '../fault.ts'
import { APIVersionID } from '../id-parameters.ts'
import { storedId } from '../ids.ts'
import { json, jsonAndYaml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import type { Trait } from '../traits.ts'
import { attachment } from './attachment.ts'
import { describer } from './describer.ts'
import { Description, Swagger11 } from './schemas.ts'
import { knownSpecifications, specification } from './specifications.ts'
import { readDescribed } from './store.ts'
import type { Wanted } from './write.ts'

const asFile: Trait = {
  answerHeaders: {
    'Content-Disposition': 'The name of the file.',
    'X-Not-Expressed':
      'What Swagger 1.1 and 1.2 cannot express, as a JSON list in ASCII; absent where that is nothing.',
  },
}
const tags = ['Descriptions']

/** Descriptions of API versions in the formats that tools read. */
export const descriptions: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor, threadFile }) => {
  const { write, close } = describer(threadFile)
  app.addHook('onClose', close)

  app.get(
    '/api/apis/versions/:APIVersionID/swagger/*',
    {
      config: {
        access: reader,
        media: json,
        deprecated: {
          by: 'GET /api/apis/versions/{APIVersionID}/definition/{Specification}',
          successor: ({ APIVersionID = '' }) =>
            `/api/apis/versions/${encodeURIComponent(APIVersionID)}/definition/swagger`,
        },
        traits: [asFile, tellsDeprecation],
      },
      schema: {
        operationId: 'exportSwagger11',
        tags,
        summary: 'Export Swagger 1.1 description',
        params: Type.Object({
          APIVersionID,
          '*': Type.String({
            title: 'SwaggerPath',
            description:
              'Describes only the operations below this path, which may hold slashes; all where it fits none.',
          }),
        }),
        querystring: Type.Object({
          APIName: Type.Optional(Type.String({ description: 'Describes only the operation of this name.' })),
          locale: Type.Optional(Type.String({ format: 'language-tag', description: 'Locale of the requesting user.' })),
        }),
        response: { 200: Swagger11 },
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const selection = { path: params['*'], operation: query.APIName }
      return describe(request, reply, params.APIVersionID, selection)
    },
  )

  app.get(
    '/api/apis/versions/:APIVersionID/definition/:Specification',
    {
      config: { access: reader, media: jsonAndYaml, traits: [asFile, tellsDeprecation] },
      schema: {
        operationId: 'describeVersion',
        tags,
        summary: 'Describe an API version in a format',
        params: Type.Object({
          APIVersionID,
          Specification: Type.String({ description: `One of ${knownSpecifications.join(', ')}.` }),
        }),
        querystring: Type.Object({
          original: Type.Optional(
            Type.Boolean({
              description: 'Whether to give the document that the version was imported from, to the byte.',
            }),
          ),
        }),
        response: { 200: Description },
      },
    },
    async (request, reply) => {
      const { APIVersionID, Specification } = request.params
      // A word that names none is said before whether there is such a version.
      specification(Specification)
      if (request.query.original) return sendOriginal(request, reply, APIVersionID)
      return describe(request, reply, APIVersionID, Specification)
    },
  )

  async function describe(
    request: FastifyRequest,
    reply: FastifyReply,
    versionId: string,
    format: Wanted['format'],
  ): Promise<FastifyReply> {
    const id = storedId(vendor, versionId, 'version')
    const { version, deprecation } = await readDescribed(db, request.caller, id, versionId, true)
    const yaml = request.answer?.format === 'yaml'
    const { content, notExpressed } = await write(version, { format, yaml })
    if (deprecation) tellReader(reply, deprecation, vendor)
    if (notExpressed) reply.header('x-not-expressed', notExpressed)
    reply.header('content-disposition', attachment(`${version.apiName}.${yaml ? 'yaml' : 'json'}`))
    // It is written already.
    return reply.serializer((text: string) => text).send(content)
  }

  /** The document that the version was imported from, to the byte, whichever of the formats was asked for. */
  async function sendOriginal(request: FastifyRequest, reply: FastifyReply, versionId: string): Promise<FastifyReply> {
    const id = storedId(vendor, versionId, 'version')
    const { deprecation } = await readDescribed(db, request.caller, id, versionId, false)
    const original = await readOriginal(db, id)
    if (!original) throw new NotFound('This API version was not imported from a document.')
    if (deprecation) tellReader(reply, deprecation, vendor)
    reply.header('content-disposition', attachment(original.fileName))
    return reply.type(`${original.mediaType}; charset=utf-8`).send(original.bytes)
  }
}

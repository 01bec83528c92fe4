import type { FastifyServerOptions } from 'fastify'
import { jsonWriter } from './json-write.ts'
import type { SchemaNode } from './schema.ts'
import { validatorCompiler } from './validate.ts'

/**
 * What makes checks and writers of schemas, for the server's options: so that Fastify does not load compilers of its own,
 * which takes a while at each start. Its types know those alone.
 */
export const schemaController = {
  compilersFactory: {
    buildValidator: () => validatorCompiler,
    buildSerializer: () => (route: { schema: unknown }) => jsonWriter(route.schema as SchemaNode),
  },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>

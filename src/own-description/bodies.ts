import type { RouteOptions } from 'fastify'
import { type Format, formType, typesTaken } from '../representation/media-types.ts'
import { nodeOf } from '../representation/schema.ts'
import type { Vendor } from '../vendor.ts'
import { examplesOf } from './examples.ts'
import type { Content, Operation, Schema } from './openapi.ts'
import type { Schemas } from './schemas.ts'

const file: Schema = {
  type: 'object',
  description: 'One file, in a field of any name.',
  minProperties: 1,
  additionalProperties: { type: 'string', contentMediaType: 'application/octet-stream' },
}

const picture: Schema = { type: 'string', contentMediaType: 'application/octet-stream', description: 'As it is.' }
const files: Record<string, Schema> = { file, picture }

/** What the routes of one method and path take, by content type. */
export function requestBody(
  routes: readonly RouteOptions[],
  vendor: Vendor,
  schemas: Schemas,
): Operation['requestBody'] {
  const content: Record<string, Content> = {}
  for (const { schema, config = {} } of routes) {
    const body = schema?.body ? schemas.describe(nodeOf(schema.body as never), true) : undefined
    const taken = body ?? files[config.takes as string]
    if (!taken) continue
    const marked = config.deprecated && routes.length > 1 ? { ...taken, deprecated: true } : taken
    for (const type of typesTaken(config, vendor)) {
      const before = content[type]
      if (before) content[type] = { ...before, schema: either(before.schema, marked) }
      else content[type] = { schema: marked, ...withExamples(config.examples ?? [], type, vendor) }
    }
  }
  return Object.keys(content).length > 0 ? { required: true, content } : undefined
}

/** One schema for what may be of two. */
export function either(first: Schema, second: Schema): Schema {
  return JSON.stringify(first) === JSON.stringify(second) ? first : { anyOf: [first, second] }
}

function withExamples(names: readonly string[], type: string, vendor: Vendor): Pick<Content, 'examples'> {
  // The fields of a form are written as an object.
  const format = (type === formType ? 'json' : /[/+](json|xml)$/.exec(type)?.[1]) as Format | undefined
  const examples = format ? examplesOf(names, format, vendor) : {}
  return Object.keys(examples).length > 0 ? { examples } : {}
}

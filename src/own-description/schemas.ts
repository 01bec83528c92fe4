import { rootOf, type SchemaNode, withoutNull } from '../representation/schema.ts'
import type { Schema } from './openapi.ts'

/** The schemas of a description: those that have a title stand in `named`, and others refer to them. */
export interface Schemas {
  named: Record<string, Schema>
  /** `isBody`: the schema of a request, in which unknown members are refused. */
  describe: (schema: SchemaNode, isBody: boolean) => Schema
}

// What formats of our own are in JSON Schema. Any text is `text` but for what XML cannot carry; no registered format
// takes every address that browsers take.
const formats: Record<string, Schema> = { text: {}, 'http-url': { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' } }

/** Makes an empty collection. Describe the bodies first: a schema that requests have too keeps its refusals. */
export function schemas(): Schemas {
  const named: Record<string, Schema> = {}
  const sources = new Map<string, string>()

  function describe(node: SchemaNode, isBody: boolean): Schema {
    const { title, readOnly, ...rest } = node
    const annotations = { ...(readOnly && { readOnly }) }
    if (title === undefined) return { ...written(node, isBody), ...annotations }
    const source = JSON.stringify(rest)
    const before = sources.get(title)
    if (before !== undefined && before !== source) {
      throw new Error(`Two schemas are titled ${title}: name one otherwise, and its root element by xml.name.`)
    }
    if (before === undefined) {
      sources.set(title, source)
      named[title] = written(node, isBody)
    }
    return { $ref: `#/components/schemas/${title}`, ...annotations }
  }

  function written(node: SchemaNode, isBody: boolean): Schema {
    const { schema, nullable } = withoutNull(node)
    if (nullable) {
      const { type, ...rest } = describe(schema, isBody)
      return type ? { type: [type, 'null'], ...rest } : { anyOf: [rest, { type: 'null' }] }
    }
    const { title, readOnly, properties, items, ...rest } = schema
    const { format, ...plain } = rest as Schema
    const known = typeof format === 'string' ? (formats[format] ?? { format }) : {}
    return {
      ...plain,
      ...known,
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, member]) => [name, describe(member, isBody)]),
        ),
        ...(isBody && { additionalProperties: false }),
      }),
      ...(items && { items: describe(items, isBody) }),
      ...(title && items && { xml: { name: rootOf(schema), wrapped: true } }),
    }
  }

  return { named, describe }
}

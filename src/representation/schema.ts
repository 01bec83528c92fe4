import type { TSchema } from 'typebox'

/** The parts of a TypeBox schema that reading and writing walk. */
export interface SchemaNode {
  type?: string
  /** Names the schema in the service's description, and its root element unless `xml` names that. */
  title?: string
  xml?: { name: string }
  readOnly?: boolean
  properties?: Record<string, SchemaNode>
  required?: string[]
  items?: SchemaNode
  maxItems?: number
  anyOf?: SchemaNode[]
}

/** What a schema says about one value: its own schema and whether null may stand in its place. */
export function withoutNull(schema: SchemaNode): { schema: SchemaNode; nullable: boolean } {
  const choices = schema.anyOf?.filter(({ type }) => type !== 'null')
  if (!choices) return { schema, nullable: false }
  const [only] = choices
  if (choices.length !== 1 || !only) throw new Error('a union other than with null has no one XML form')
  return { schema: only, nullable: true }
}

/** The root element of a document of the schema, or of one of its items in a list. */
export function rootOf({ title, xml }: SchemaNode): string | undefined {
  return xml?.name ?? title
}

export function nodeOf(schema: TSchema): SchemaNode {
  return schema as SchemaNode
}

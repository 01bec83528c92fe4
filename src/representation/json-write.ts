import { type SchemaNode, withoutNull } from './schema.ts'

type Project = (value: unknown) => unknown

/** Makes the function that writes a value as JSON: only members that the schema knows, in the schema's order. */
export function jsonWriter(schema: SchemaNode): (value: unknown) => string {
  const project = projection(schema)
  return (value) => JSON.stringify(project(value))
}

function projection(given: SchemaNode): Project {
  const { schema, nullable } = withoutNull(given)
  const project = valueProjection(schema)
  return nullable ? (value) => (value === null ? null : project(value)) : project
}

function valueProjection({ type, items, properties }: SchemaNode): Project {
  if (type === 'array' && items) {
    const project = projection(items)
    return (value) => (value as unknown[]).map(project)
  }
  if (type !== 'object' || !properties) return (value) => value
  const members = Object.entries(properties).map(([key, schema]) => ({ key, project: projection(schema) }))
  return (value) => {
    const known: Record<string, unknown> = {}
    for (const { key, project } of members) {
      const member = (value as Record<string, unknown>)[key]
      if (member !== undefined) known[key] = project(member)
    }
    return known
  }
}

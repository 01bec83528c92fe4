import { isObject, type Place } from './place.ts'
import { isReference, type Resolve } from './references.ts'

const mostSchemas = 100

/** The names of a form's fields: the properties of its schema, its parts and its alternatives, as far as this file has them. */
export function formFields(form: Place, resolve: Resolve): string[] {
  const names = new Set<string>()
  const seen = new Set<unknown>()
  const left: unknown[] = [form.value]
  for (const value of left) {
    for (const schema of isReference(value) ? [within(value, resolve), value] : [value]) {
      if (!isObject(schema) || seen.has(schema) || seen.size === mostSchemas) continue
      seen.add(schema)
      if (isObject(schema.properties)) for (const name of Object.keys(schema.properties)) names.add(name)
      for (const parts of [schema.allOf, schema.anyOf, schema.oneOf]) {
        if (Array.isArray(parts)) left.push(...parts.slice(0, mostSchemas))
      }
    }
  }
  return [...names]
}

function within(value: { $ref: string }, resolve: Resolve): unknown {
  try {
    return resolve({ value, pointer: '' }).value
  } catch {
    return undefined
  }
}

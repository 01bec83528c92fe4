import { mostInputs } from './inputs.ts'
import { isObject, type Place } from './place.ts'
import { isReference, type Resolve } from './references.ts'

const mostSchemas = 100

/**
 * The names of a form's fields: the properties of its schema, its parts and its alternatives, as far as this file has them.
 * Of more than an operation may have, one more is enough.
 */
export function formFields(form: Place, resolve: Resolve): string[] {
  const names = new Set<string>()
  const seen = new Set<unknown>()
  const left: unknown[] = [form.value]
  for (const value of left) {
    for (const schema of isReference(value) ? [within(value, resolve), value] : [value]) {
      if (!isObject(schema) || seen.has(schema) || seen.size === mostSchemas) continue
      seen.add(schema)
      for (const name of isObject(schema.properties) ? Object.keys(schema.properties) : []) {
        names.add(name)
        if (names.size > mostInputs) return [...names]
      }
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

import { isObject, type Place } from './place.ts'
import { isReference, type Resolve } from './references.ts'

const mostSchemas = 100

/** Whether bodies of the media type are forms. */
export function isForm(type: string): boolean {
  return /^(?:application\/x-www-form-urlencoded|multipart\/form-data)(?:[ \t]*;|$)/i.test(type)
}

/** The names of a form's fields: the properties of its schema and of what it consists of, as far as this file has them. */
export function formFields(schema: Place, resolve: Resolve): string[] {
  const names = new Set<string>()
  const seen = new Set<unknown>()
  const left: unknown[] = [schema.value]
  for (const value of left) {
    const found = isReference(value) ? within(value, resolve) : value
    if (!isObject(found) || seen.has(found) || seen.size === mostSchemas) continue
    seen.add(found)
    if (isObject(found.properties)) for (const name of Object.keys(found.properties)) names.add(name)
    if (Array.isArray(found.allOf)) left.push(...found.allOf.slice(0, mostSchemas))
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

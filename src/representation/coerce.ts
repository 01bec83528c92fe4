import type { InputError } from '../fault.ts'
import { canBeIgnored } from './ignored.ts'
import { type SchemaNode, withoutNull } from './schema.ts'

/** More errors than this are not told. */
export const mostErrors = 20

/** Reads one value by its schema; what it cannot read it leaves as it is, for validation to name. */
type Coerce = (value: unknown, errors: InputError[]) => unknown

/**
 * Makes the reader of a schema: strings become the booleans and integers that the schema asks for, read-only members are
 * dropped, unknown ones are errors, members come in the schema's order. Nothing is guessed: text stays text.
 */
export function coercer(given: SchemaNode): Coerce {
  const { schema, nullable } = withoutNull(given)
  const coerce = valueCoercer(schema)
  return nullable ? (value, errors) => (value === null ? null : coerce(value, errors)) : coerce
}

function valueCoercer(schema: SchemaNode): Coerce {
  if (schema.type === 'boolean') return (value) => (value === 'true' ? true : value === 'false' ? false : value)
  if (schema.type === 'integer')
    return (value) => (typeof value === 'string' && isInteger(value) ? Number(value) : value)
  if (schema.type === 'array' && schema.items) return listCoercer(coercer(schema.items), schema.maxItems)
  if (schema.type === 'object' && schema.properties) return objectCoercer(schema.properties)
  return (value) => value
}

function isInteger(text: string): boolean {
  return /^-?(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))
}

function listCoercer(coerce: Coerce, maxItems = Number.POSITIVE_INFINITY): Coerce {
  return (value, errors) => {
    if (!Array.isArray(value)) return value
    if (value.length <= maxItems) return value.map((item, index) => coerceAt(index, coerce, item, errors))
    errors.push({ pointer: '', message: `must not have more than ${maxItems} items` })
    // Looking at each of them would take long, and change nothing.
    return []
  }
}

function objectCoercer(properties: Record<string, SchemaNode>): Coerce {
  const known = new Map(Object.entries(properties).map(([key, { readOnly = false }]) => [key, readOnly]))
  const members = Object.entries(properties)
    .filter(([, schema]) => !schema.readOnly)
    .map(([key, schema]) => ({ key, coerce: coercer(schema) }))
  return (value, errors) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    for (const key of Object.keys(value)) {
      if (errors.length >= mostErrors) break
      const isIgnored = known.get(key)
      if (isIgnored === undefined) errors.push({ pointer: `/${escapeToken(key)}`, message: 'is unknown' })
      else if (isIgnored && !canBeIgnored((value as Record<string, unknown>)[key])) {
        errors.push({ pointer: `/${key}`, message: 'holds what no answer can carry' })
      }
    }
    const read: Record<string, unknown> = {}
    for (const { key, coerce } of members) {
      if (Object.hasOwn(value, key)) {
        read[key] = coerceAt(key, coerce, (value as Record<string, unknown>)[key], errors)
      }
    }
    return read
  }
}

/** Reads a member or item. Where it stands is said of its errors alone: most have none. */
function coerceAt(key: string | number, coerce: Coerce, value: unknown, errors: InputError[]): unknown {
  const before = errors.length
  const read = coerce(value, errors)
  for (let place = before; place < errors.length; place++) {
    const { pointer, message } = errors[place] as InputError
    errors[place] = { pointer: `/${key}${pointer}`, message }
  }
  return read
}

/** A member name as one token of a JSON pointer (RFC 6901), short enough to be shown. */
export function escapeToken(key: string, longest = 100): string {
  return key.slice(0, longest).replaceAll('~', '~0').replaceAll('/', '~1')
}

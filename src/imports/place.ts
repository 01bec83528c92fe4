import { escapeToken } from '../representation/coerce.ts'
import { Unreadable } from './unreadable.ts'

/** A value of a document and where it stands. */
export interface Place {
  value: unknown
  /** A JSON pointer (RFC 6901). */
  pointer: string
}

/** A member of an object; undefined when it is absent or null. */
export function member(place: Place, key: string): Place | undefined {
  const object = objectAt(place)
  const value = Object.hasOwn(object, key) ? object[key] : undefined
  return value === undefined || value === null ? undefined : { value, pointer: below(place, key) }
}

export function members(place: Place | undefined): [string, Place][] {
  if (!place) return []
  return Object.entries(objectAt(place)).map(([key, value]) => [key, { value, pointer: below(place, key) }])
}

export function items(place: Place | undefined): Place[] {
  if (!place) return []
  if (!Array.isArray(place.value)) throw new Unreadable('must be a list', place.pointer)
  return place.value.map((value, index) => ({ value, pointer: below(place, String(index)) }))
}

/** Text; what a reader of YAML takes for a number or a boolean is text as well. */
export function text(place: Place): string {
  const { value, pointer } = place
  if (typeof value === 'object' || value === undefined) throw new Unreadable('must be text', pointer)
  return String(value)
}

export function memberText(place: Place, key: string): string | undefined {
  const found = member(place, key)
  return found && text(found)
}

/** @throws Unreadable when the member is absent. */
export function requiredText(place: Place, key: string): string {
  const found = memberText(place, key)
  if (found === undefined) throw new Unreadable('is required', below(place, key))
  return found
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function objectAt({ value, pointer }: Place): Record<string, unknown> {
  if (!isObject(value)) throw new Unreadable('must be an object', pointer)
  return value
}

export function below({ pointer }: Place, key: string): string {
  return `${pointer}/${escapeToken(key, 300)}`
}

import { v7 } from 'uuid'
import { NotFound } from './fault.ts'
import type { Vendor } from './vendor.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/** A UUID of version 7: later ones sort behind earlier ones. */
export function newId(): string {
  return v7()
}

/** `{unique}.{fedmember}`, as ids stand on the wire. */
export function wireId(vendor: Vendor, unique: string): string {
  return `${unique}.${vendor.fedmemberId}`
}

/**
 * The stored part of an id from the wire. Functions that take both call them `id` and `givenId`.
 * @throws NotFound when it cannot be one of ours; `kind` says what was looked for, such as "API", and `pointer` leads to it
 * where it does not stand in the path.
 */
export function storedId(vendor: Vendor, id: string, kind: string, pointer?: string): string {
  const unique = possibleId(vendor, id)
  if (unique === undefined) throw notFound(kind, id, pointer)
  return unique
}

/** The stored part of an id from the wire; undefined when it cannot be one of ours. */
export function possibleId(vendor: Vendor, id: string): string | undefined {
  const unique = id.slice(0, -vendor.fedmemberId.length - 1)
  return uuid.test(unique) && id === wireId(vendor, unique) ? unique : undefined
}

/**
 * The stored part of the id of a login domain, which need not be a UUID.
 * @throws NotFound when it cannot be one of ours; `pointer` as above
 */
export function storedDomainId(vendor: Vendor, id: string, pointer?: string): string {
  const unique = id.slice(0, -vendor.fedmemberId.length - 1)
  if (!/^[\w-]{1,64}$/.test(unique) || id !== wireId(vendor, unique)) throw notFound('login domain', id, pointer)
  return unique
}

/** The fault for an id that names nothing of that kind; `pointer` leads to it where it does not stand in the path. */
export function notFound(kind: string, id: string, pointer?: string): NotFound {
  const errors = pointer === undefined ? undefined : [{ pointer, message: `is the id of no ${kind}` }]
  return new NotFound(`No ${kind} has the id ${quoted(id)}.`, errors)
}

/** The fault for an id that names something else: clients look for the `given` kind, in brackets. `pointer` as above. */
export function otherKind(id: string, given: '[api]' | '[apiversion]', expected: string, pointer?: string): NotFound {
  const errors = pointer === undefined ? undefined : [{ pointer, message: `names an ${given}` }]
  return new NotFound(`${quoted(id)} names an ${given}, where ${expected} is expected.`, errors)
}

function quoted(id: string): string {
  return JSON.stringify(id.slice(0, 100))
}

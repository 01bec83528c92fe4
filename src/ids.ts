import { v7 } from 'uuid'
import { NotFound } from './fault.ts'
import type { Vendor } from './vendor.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A UUID of version 7: later ones sort behind earlier ones. */
export function newId(): string {
  return v7()
}

/** `{unique}.{fedmember}`, as ids stand on the wire. */
export function wireId(vendor: Vendor, unique: string): string {
  return `${unique}.${vendor.fedmemberId}`
}

/**
 * The stored part of an id from the wire.
 * @throws NotFound when it cannot be one of ours; `kind` says what was looked for, such as "API".
 */
export function storedId(vendor: Vendor, id: string, kind: string): string {
  const unique = id.slice(0, -vendor.fedmemberId.length - 1)
  if (!uuid.test(unique) || id !== wireId(vendor, unique)) throw notFound(kind, id)
  return unique
}

/** The fault for an id that names nothing of that kind; `given` is the kind that it names instead, if any. */
export function notFound(kind: string, id: string, given?: string): NotFound {
  const shown = JSON.stringify(id.slice(0, 100))
  return new NotFound(given ? `${shown} names an ${given}, not an ${kind}.` : `No ${kind} has the id ${shown}.`)
}

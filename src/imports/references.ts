import { below, isObject, type Place } from './place.ts'
import { Unreadable } from './unreadable.ts'

const mostHops = 100

/** Follows the $ref of a place, if it has one, to where it leads. */
export type Resolve = (place: Place) => Place

/**
 * Makes the function that follows references within a document. What another file or address holds is never fetched.
 * It throws Unreadable for a reference that leads out of the document, to nothing, round in a circle or through too many
 * others.
 */
export function references(root: unknown): Resolve {
  return (place) => {
    let found = place
    for (let hops = 0; isReference(found.value); hops++) {
      const at = below(found, '$ref')
      if (hops === mostHops)
        throw new Unreadable(`leads round in a circle, or through more than ${mostHops} references`, at)
      found = target(root, found.value.$ref, at)
    }
    return found
  }
}

export function isReference(value: unknown): value is { $ref: string } {
  return isObject(value) && Object.hasOwn(value, '$ref') && typeof value.$ref === 'string'
}

function target(root: unknown, reference: string, at: string): Place {
  if (!reference.startsWith('#')) {
    throw new Unreadable('leads to another document, which is not fetched: put all into one file', at)
  }
  let value = root
  const pointer = decoded(reference.slice(1), at)
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    const holder: unknown = value
    value =
      typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
        ? (holder as Record<string, unknown>)[key]
        : undefined
  }
  if (value === undefined || value === null || (pointer !== '' && !pointer.startsWith('/'))) {
    throw new Unreadable('leads to nothing in this document', at)
  }
  return { value, pointer }
}

function decoded(pointer: string, at: string): string {
  try {
    return decodeURIComponent(pointer)
  } catch {
    throw new Unreadable('is no JSON pointer', at)
  }
}

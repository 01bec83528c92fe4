import type { StoredVisibility } from './database/tables.ts'
import { invalidMember } from './fault.ts'
import type { Vendor } from './vendor.ts'

/** From the widest to the narrowest. */
export const audiences: readonly StoredVisibility[] = ['Public', 'RegisteredUsers', 'Limited']

export function wireVisibility(vendor: Vendor, stored: StoredVisibility): string {
  return stored === 'RegisteredUsers' ? vendor.registeredUsers : stored
}

/**
 * The stored form of a visibility as clients write it.
 * @throws what `fault` makes of the message when it is none of the known words.
 */
export function visibilityOf(vendor: Vendor, word: string, fault: (message: string) => Error): StoredVisibility {
  const known = audiences.find((each) => wireVisibility(vendor, each) === word)
  if (known) return known
  throw fault(`must be one of ${audiences.map((each) => wireVisibility(vendor, each)).join(', ')}`)
}

/**
 * The stored form of a Visibility member.
 * @throws Malformed naming the member at `pointer` when it is none of the known values.
 */
export function storedVisibility(vendor: Vendor, word: string, pointer: string): StoredVisibility {
  return visibilityOf(vendor, word, (message) => invalidMember(pointer, message))
}

import type { StoredVisibility } from './database/tables.ts'
import { invalidMember } from './fault.ts'
import type { Vendor } from './vendor.ts'

function wireWords(vendor: Vendor): Record<StoredVisibility, string> {
  return { Public: 'Public', RegisteredUsers: vendor.registeredUsers, Limited: 'Limited' }
}

export function wireVisibility(vendor: Vendor, stored: StoredVisibility): string {
  return wireWords(vendor)[stored]
}

/**
 * The stored form of a Visibility member.
 * @throws Malformed naming the member at `pointer` when it is none of the known values.
 */
export function storedVisibility(vendor: Vendor, word: string, pointer: string): StoredVisibility {
  const words = Object.entries(wireWords(vendor)) as [StoredVisibility, string][]
  const found = words.find(([, known]) => known === word)
  if (found) return found[0]
  throw invalidMember(pointer, `must be one of ${words.map(([, known]) => known).join(', ')}`)
}

import { storedId, wireId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import { type Caller, isSiteAdmin, notEntitled } from './caller.ts'

/**
 * The stored id of a user whom the caller may ask about: themself, or anybody for a Site Admin. Only a Site Admin learns
 * whether somebody else's id exists.
 * @throws Unauthorized, NotFound for an id that cannot be one of ours
 */
export function knownUserId(vendor: Vendor, caller: Caller, userId: string): string {
  if (!isSiteAdmin(caller) && userId !== wireId(vendor, caller.userId)) {
    throw notEntitled(caller, 'this needs the user themself or a Site Admin')
  }
  return storedId(vendor, userId, 'user')
}

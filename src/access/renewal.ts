import type { Trait } from '../traits.ts'
import type { Vendor } from '../vendor.ts'

/** A change of data that the token reflects. */
export function renewsToken(vendor: Vendor): Trait {
  return { answerHeaders: { [vendor.renewHeader]: 'The value `renew` asks the caller to renew the token.' } }
}

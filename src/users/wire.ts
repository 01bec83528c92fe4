import type { Static } from 'typebox'
import { wireId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import type { User } from './schemas.ts'
import type { UserRow } from './store.ts'

/** A user as clients read it; never with the password. */
export function wireUser(row: UserRow, vendor: Vendor): Static<typeof User> {
  return {
    UserID: wireId(vendor, row.id),
    UserName: row.user_name,
    Email: row.email,
    Enabled: row.enabled,
    Role: row.roles,
    LoginDomainID: wireId(vendor, row.domain_id),
    Created: row.created.toISOString(),
    Updated: row.updated.toISOString(),
  }
}

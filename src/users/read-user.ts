import type { Static } from 'typebox'
import type { Database } from '../database/tables.ts'
import { notFound, wireId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import type { User } from './schemas.ts'
import { findUser } from './store.ts'
import { wireUser } from './wire.ts'

/**
 * A user as clients read it.
 * @throws NotFound
 */
export async function readUser(db: Database, id: string, vendor: Vendor): Promise<Static<typeof User>> {
  const user = await findUser(db, id)
  if (!user) throw notFound('user', wireId(vendor, id))
  return wireUser(user, vendor)
}

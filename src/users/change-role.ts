import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { lockRights } from '../access/entitlement.ts'
import { roleOf, roles } from '../access/roles.ts'
import { lockSiteAdmin, lockSiteAdmins } from '../access/site-admins.ts'
import { inTransaction } from '../database/transaction.ts'
import { NotFound } from '../fault.ts'
import type { Services } from '../services.ts'
import { readUser } from './read-user.ts'
import type { User } from './schemas.ts'
import type { grantRole } from './store.ts'

/**
 * Gives a role to a user or takes it, whichever `change` does.
 * @throws NotFound, Unauthorized; Malformed when nobody would be left who can sign in as a Site Admin
 */
export async function changeRole(
  { db, vendor }: Services,
  caller: Caller,
  id: string,
  name: string,
  change: typeof grantRole,
): Promise<Static<typeof User>> {
  const role = roleOf(name)
  if (!role) throw new NotFound(`There is no role ${JSON.stringify(name)}; there are ${roles.join(', ')}.`)
  return inTransaction(db, async (trx) => {
    await lockSiteAdmins(trx)
    await lockRights(trx, id)
    await lockSiteAdmin(trx, caller)
    await change(trx, id, role)
    return readUser(trx, id, vendor)
  })
}

import { type Caller, isSiteAdmin, notEntitled, type Reader } from '../access/caller.ts'
import type { Database } from '../database/tables.ts'
import { notFound, storedId, wireId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'

const pointer = '/admin'

/**
 * A reader who sees what a user administers as a member of its admin group, and nothing else. `userId` is the wire id.
 * @throws Unauthorized unless it is the caller's own, or the caller is a Site Admin; NotFound when there is no such user.
 */
export async function administratorOf(
  db: Database,
  caller: Caller | null,
  userId: string,
  vendor: Vendor,
): Promise<Reader> {
  if (caller && userId === wireId(vendor, caller.userId)) return { visible: [], userId: caller.userId }
  if (!isSiteAdmin(caller)) throw notEntitled(caller, 'what a user administers is for that user or a Site Admin')
  const id = storedId(vendor, userId, 'user', pointer)
  const user = await db.selectFrom('app_user').where('id', '=', id).select('id').executeTakeFirst()
  if (!user) throw notFound('user', userId, pointer)
  return { visible: [], userId: user.id }
}

import { type Caller, isSiteAdmin, notEntitled, type Reader } from '../access/caller.ts'
import type { Database } from '../database/tables.ts'
import { possibleId, wireId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import { invalidParameter } from './parameters.ts'

/**
 * A reader who sees what a user administers as a member of its admin group, and nothing else. `userId` is the wire id.
 * @throws Unauthorized unless it is the caller's own, or the caller is a Site Admin; Malformed when there is no such user.
 */
export async function administratorOf(
  db: Database,
  caller: Caller | null,
  userId: string,
  vendor: Vendor,
): Promise<Reader> {
  if (caller && userId === wireId(vendor, caller.userId)) return { visible: [], userId: caller.userId }
  if (!isSiteAdmin(caller)) throw notEntitled(caller, 'what a user administers is for that user or a Site Admin')
  const id = possibleId(vendor, userId)
  const user = id && (await db.selectFrom('app_user').where('id', '=', id).select('id').executeTakeFirst())
  if (!user) throw invalidParameter('admin', 'must be the id of a user')
  return { visible: [], userId: user.id }
}

import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { mayReadNow } from '../access/entitlement.ts'
import { missingVersion } from '../api-versions/owning-api.ts'
import type { Transaction } from '../database/tables.ts'
import { invalidMember } from '../fault.ts'
import { storedId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import { audiences } from '../visibility.ts'
import type { LockedForDeprecation, Successor } from './store.ts'

const pointer = '/SuccessorVersionID'
// Any number, as long as every replica takes the same.
const advisoryLock = 7_205_118
const mostSuccessors = 1000

/**
 * Locks the version that a request names as successor of the version `id`. One that the caller may not read is as unknown
 * as one that is not there.
 * @throws NotFound; Malformed for the version itself
 */
export async function lockSuccessor(
  trx: Transaction,
  caller: Caller,
  givenId: string,
  id: string,
  vendor: Vendor,
): Promise<Successor> {
  const successorId = storedId(vendor, givenId, 'version', pointer)
  if (successorId === id) throw invalidMember(pointer, 'must be another version')
  const successor = await trx
    .selectFrom('api_version as v')
    .where('v.id', '=', successorId)
    .where(mayReadNow(caller, 'v.audience', 'v.admin_group_id'))
    .select(['v.id', 'v.audience', 'v.admin_group_id as groupId'])
    .forShare()
    .executeTakeFirst()
  if (!successor) throw await missingVersion(trx, successorId, givenId, 'version', pointer)
  return successor
}

/**
 * Makes sure that whoever reads a version may read its successor too, and that following successors comes to an end.
 * Nobody else can make a circle until the transaction ends.
 * @throws Malformed
 */
export async function checkSuccessor(
  trx: Transaction,
  version: LockedForDeprecation,
  successor: Successor,
): Promise<void> {
  const isWideEnough =
    successor.audience === 'Limited'
      ? version.audience === 'Limited' && version.groupId === successor.groupId
      : audiences.indexOf(successor.audience) <= audiences.indexOf(version.audience)
  if (!isWideEnough) throw invalidMember(pointer, 'must be readable by whoever may read this version')

  await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(trx)
  const { rows } = await sql<{ id: string }>`
    with recursive following as (
      select id, successor_id, 1 as place from api_version where id = ${successor.id}
      union all
      select v.id, v.successor_id, f.place + 1 from following f join api_version v on v.id = f.successor_id
      where f.place < ${mostSuccessors} and f.id <> ${version.id})
    select id from following where id = ${version.id} or (place = ${mostSuccessors} and successor_id is not null)`.execute(
    trx,
  )
  const [found] = rows
  if (found?.id === version.id) throw invalidMember(pointer, 'must not have this version as a successor, near or far')
  if (found) throw invalidMember(pointer, `must have fewer than ${mostSuccessors} successors, one after another`)
}

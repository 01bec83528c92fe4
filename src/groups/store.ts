import { type Caller, notEntitled } from '../access/caller.ts'
import { administers, lockRights } from '../access/entitlement.ts'
import type { Transaction } from '../database/tables.ts'
import { notFound } from '../ids.ts'

/**
 * Makes sure that the caller may change who is in a group, until the transaction ends. Changes of one group wait for each
 * other: two members who remove each other would else wait for ever.
 * @throws NotFound, Unauthorized
 */
export async function lockGroup(trx: Transaction, caller: Caller, id: string, givenId: string): Promise<void> {
  const group = trx.selectFrom('admin_group as g').where('g.id', '=', id)
  const locked = await group.select('g.id').forNoKeyUpdate().executeTakeFirst()
  if (!locked) throw notFound('group', givenId)
  const { allowed } = await group.select(administers(caller, 'g.id').as('allowed')).executeTakeFirstOrThrow()
  if (!allowed) throw notEntitled(caller, 'this needs a member of the group or a Business Admin')
}

/** @throws NotFound when there is no such user. */
export async function insertMember(trx: Transaction, groupId: string, userId: string, givenId: string): Promise<void> {
  const user = await trx.selectFrom('app_user').where('id', '=', userId).select('id').forKeyShare().executeTakeFirst()
  if (!user) throw notFound('user', givenId)
  await trx
    .insertInto('group_member')
    .values({ group_id: groupId, user_id: userId })
    // What a person gives stays when the rule that gave it before no longer holds.
    .onConflict((conflict) => conflict.columns(['group_id', 'user_id']).doUpdateSet({ by_rule: false }))
    .execute()
}

/** @throws NotFound when the user is not a member. */
export async function deleteMember(trx: Transaction, groupId: string, userId: string, givenId: string): Promise<void> {
  await lockRights(trx, userId)
  const removed = await trx
    .deleteFrom('group_member')
    .where('group_id', '=', groupId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (removed.numDeletedRows === 0n) throw notFound('member', givenId)
}

import { type RawBuilder, sql } from 'kysely'
import { prepared } from '../database/prepared.ts'
import type { Database, Role, StoredVisibility, Transaction } from '../database/tables.ts'
import { type Caller, type Reader, readerOf } from './caller.ts'

/** Whether a person may read one thing of the visibility and the admin group; in lists, `isReadable` says the same. */
export async function mayRead(
  db: Database,
  caller: Caller | null,
  visibility: StoredVisibility,
  groupId: string,
): Promise<boolean> {
  const { visible, userId } = readerOf(caller)
  if (visible.includes(visibility)) return true
  return userId !== null && (await membership(db, { groupId, userId })).length > 0
}

/** Whether a person administers what the group administers, to look at; changes ask `administers`. */
export async function mayAdminister(db: Database, caller: Caller, groupId: string): Promise<boolean> {
  return mayRead(db, caller, 'Limited', groupId)
}

const membership = prepared((db, { groupId, userId }: { groupId: string; userId: string }) =>
  db.selectFrom('group_member').where('group_id', '=', groupId).where('user_id', '=', userId).select('user_id'),
)

/** SQL: whether a person may read what has the visibility and the admin group that the columns hold. */
export function isReadable({ visible, userId }: Reader, visibility: string, group: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(visibility)} = any(${visible}::text[]) or exists (
    select 1 from group_member m where m.group_id = ${sql.ref(group)} and m.user_id = ${userId}::uuid))`
}

/**
 * SQL: whether the caller may administer what the group that the column names administers: a member of it, or a Business
 * Admin or Site Admin. Decided by the memberships and roles of this moment, which stay locked until the transaction ends:
 * nothing commits after a right was taken away.
 */
export function administers(caller: Pick<Caller, 'userId'>, groupColumn: string): RawBuilder<boolean> {
  // CASE promises an order, AND does not: the advisory lock has to come before those of rows, or in a join a change of
  // these rights that waits is overtaken for ever.
  return sql<boolean>`(case when ${inOrder(caller)} then exists (
    select 1 from group_member m where m.group_id = ${sql.ref(groupColumn)} and m.user_id = ${caller.userId} for key share)
    or ${holdsRole(caller)} end)`
}

/**
 * SQL: whether the signed-in caller may read what has the visibility and the admin group that the columns hold, decided by
 * the rights of this moment, locked as above.
 */
export function mayReadNow(caller: Pick<Caller, 'userId'>, visibility: string, group: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(visibility)} <> 'Limited' or ${administers(caller, group)})`
}

/** SQL: whether the caller is a Business Admin or Site Admin, locked as above. */
export function hasRole(caller: Pick<Caller, 'userId'>): RawBuilder<boolean> {
  return sql<boolean>`(${inOrder(caller)} and ${holdsRole(caller)})`
}

/** SQL: true, behind a change of the caller's rights that waits already: row locks alone would overtake it for ever. */
export function inOrder({ userId }: Pick<Caller, 'userId'>): RawBuilder<boolean> {
  return sql<boolean>`pg_advisory_xact_lock_shared(hashtextextended(${userId}::text, 0)) is not null`
}

/** Waits until nobody's transaction rests on the rights of a user any more. */
export async function lockRights(trx: Transaction, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}::text, 0))`.execute(trx)
}

function holdsRole({ userId }: Pick<Caller, 'userId'>): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from role_grant r where r.user_id = ${userId} for key share)`
}

/** What somebody may be to the thing that a group administers: a member of the group, or what a role makes of them. */
export type Standing = 'APIAdmin' | Role

/**
 * SQL: all that a person is to what the group that the column names administers, an array of Standing. Nothing is locked:
 * in a transaction that relies on it, `administers` goes before.
 */
export function standingsOf({ userId }: Pick<Caller, 'userId'>, groupColumn: string): RawBuilder<Standing[]> {
  return sql<Standing[]>`(
    array(select 'APIAdmin' from group_member m where m.group_id = ${sql.ref(groupColumn)} and m.user_id = ${userId})
    || array(select r.role from role_grant r where r.user_id = ${userId}))`
}

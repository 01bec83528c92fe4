import { type RawBuilder, sql } from 'kysely'
import { type Caller, userIdOf } from './caller.ts'

/** SQL: whether the caller is in the group that the column names. */
export function isMember(caller: Caller | null, groupColumn: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from group_member m where m.group_id = ${sql.ref(groupColumn)} and m.user_id = ${userIdOf(caller)})`
}

/**
 * SQL: whether the caller may administer what the group that the column names administers: a member of it, or a Business
 * Admin or Site Admin. Decided by the memberships and roles of this moment, which stay locked until the transaction ends:
 * nothing commits after a right was taken away.
 */
export function administers(caller: Caller, groupColumn: string): RawBuilder<boolean> {
  return sql<boolean>`(exists (
    select 1 from group_member m where m.group_id = ${sql.ref(groupColumn)} and m.user_id = ${caller.userId} for key share)
    or ${hasRole(caller)})`
}

/** SQL: whether the caller is a Business Admin or Site Admin, locked as above. */
export function hasRole(caller: Caller): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from role_grant r where r.user_id = ${caller.userId} for key share)`
}

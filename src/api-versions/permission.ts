import { type RawBuilder, sql } from 'kysely'
import { type Caller, visibleTo } from '../access/caller.ts'
import { isMember } from '../access/entitlement.ts'

/** SQL: whether the caller may read the row `a` of api. */
export function apiReadable(caller: Caller | null): RawBuilder<boolean> {
  return sql<boolean>`(a.visibility = any(${visibleTo(caller)}) or ${isMember(caller, 'a.admin_group_id')})`
}

/** SQL: whether the caller may read the row `v` of api_version, whose API is `a`; a version narrows its API. */
export function versionReadable(caller: Caller | null): RawBuilder<boolean> {
  const visible = visibleTo(caller)
  return sql<boolean>`((a.visibility = any(${visible}) and v.visibility = any(${visible}))
    or ${isMember(caller, 'a.admin_group_id')})`
}

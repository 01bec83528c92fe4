import type { RawBuilder } from 'kysely'
import type { Reader } from '../access/caller.ts'
import { isReadable } from '../access/entitlement.ts'

/** SQL: whether somebody may read the row `a` of api. */
export function apiReadable(reader: Reader): RawBuilder<boolean> {
  return isReadable(reader, 'a.visibility', 'a.admin_group_id')
}

/** SQL: whether somebody may read the row `v` of api_version; its audience is no wider than its API's. */
export function versionReadable(reader: Reader): RawBuilder<boolean> {
  return isReadable(reader, 'v.audience', 'v.admin_group_id')
}

/** SQL: whether lists and search show the row `v` of api_version to somebody, which its state may keep them from. */
export function versionListed(reader: Reader): RawBuilder<boolean> {
  return isReadable(reader, 'v.listing', 'v.admin_group_id')
}

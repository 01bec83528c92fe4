import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Reader } from '../access/caller.ts'
import { versionListed } from '../api-versions/permission.ts'
import type { Tables } from '../database/tables.ts'

/**
 * SQL, for a lateral join: the one version, if any, that somebody is shown of the row `api` of api. It is the latest or,
 * where that is not listed to them, the newest of those that are, which is not looked for otherwise. Lists, which join it
 * once for each row, name the `columns` of `v` that they need.
 */
export function shownVersion(
  reader: Reader,
  api: 'a' | 'p' | 't',
  columns: RawBuilder<unknown> = sql`v.*`,
): RawBuilder<Selectable<Tables['api_version']>> {
  const ofApi = (column: string) => sql.ref(`${api}.${column}`)
  return sql`(
    (select ${columns} from api_version v where v.id = ${ofApi('latest_version_id')} and ${versionListed(reader)})
    union all
    (select ${columns} from api_version v where v.api_id = ${ofApi('id')} and ${versionListed(reader)}
      order by v.created desc, v.id desc limit 1)
    limit 1)`
}

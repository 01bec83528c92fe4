import { type RawBuilder, sql } from 'kysely'
import { type ListedApi, listedApis } from '../apis/listed.ts'
import { shownVersion } from '../apis/shown-version.ts'
import { audiencesFor, find } from '../lists/find.ts'
import type { Condition } from '../lists/listed.ts'
import type { Kind, ListReader } from '../lists/readers.ts'
import { rowsReader } from '../lists/rows-reader.ts'
import type { Sought } from './query.ts'

type Is = (values: ListReader & Sought) => RawBuilder<boolean>

// On `t`, an API.
const isExact: Is = ({ exact }) => sql`t.sort_name = lower(${exact}::text)`
const isInName: Is = ({ inName }) => sql`t.search @@ ${inName}::tsquery`
const isAnywhere: Is = (values) => sql`(t.search @@ ${values.inApi}::tsquery
  or exists (select from ${shownVersion(values, 't', sql`v.search`)} v where v.search @@ ${values.inVersion}::tsquery offset 0))`

const exactly = (kind: Kind, exact: string) =>
  sql`select id from api where visibility = ${sql.lit(kind.audience)} and sort_name = lower(${exact}::text)`
const apisWith = (kind: Kind, words: string) =>
  sql`select id from api where visibility = ${sql.lit(kind.audience)} and search @@ ${words}::tsquery`
const versionsWith = (kind: Kind, words: string) =>
  sql`select api_id as id from api_version where listing = ${sql.lit(kind.audience)} and search @@ ${words}::tsquery`

// Words that very many versions have are then looked for in the latest version of each API only.
const anywhere: Condition<Sought>['selective'] = {
  find: (db, reader, { inApi, inVersion }) =>
    find(db, audiencesFor(reader), [(kind) => apisWith(kind, inApi), (kind) => versionsWith(kind, inVersion)]),
  holds: isAnywhere,
}

/** Reads the APIs that are found, in any order. */
export const readFound = rowsReader<ListedApi, Sought>(listedApis, { selective: anywhere })

/** What reads them by relevance, one after the other: the APIs of that very name, with all words in the name, the others. */
export const readByRelevance = [
  rowsReader<ListedApi, Sought>(listedApis, {
    selective: {
      find: (db, reader, { exact }) => find(db, audiencesFor(reader), [(kind) => exactly(kind, exact)], 'once'),
      holds: isExact,
    },
  }),
  rowsReader<ListedApi, Sought>(listedApis, {
    always: (values) => sql`not ${isExact(values)}`,
    selective: {
      find: (db, reader, { inName }) => find(db, audiencesFor(reader), [(kind) => apisWith(kind, inName)]),
      holds: isInName,
    },
  }),
  rowsReader<ListedApi, Sought>(listedApis, {
    always: (values) => sql`not (${isExact(values)} or ${isInName(values)})`,
    selective: anywhere,
  }),
]

import { sql } from 'kysely'
import type { Reader } from '../access/caller.ts'
import { prepared } from '../database/prepared.ts'
import type { Database, StoredVisibility } from '../database/tables.ts'
import { audiences } from '../visibility.ts'

// Up to so many memberships are looked up one by one; a member of more walks the list.
const fewGroups = 1000

/** Who reads a list. */
export interface ListReader extends Reader {
  /** The one visibility that is asked for, if any. */
  visibility: StoredVisibility | null
  /** The groups that let them read what is not visible to them anyway; some of them where there are many. */
  groups: string[]
  isInManyGroups: boolean
}

/** Rows of one kind stand together in an index. A version's visibility is no narrower than its audience. */
export interface Kind {
  audience: StoredVisibility
  visibility: StoredVisibility
  /** Whether only a membership may let the person read such a row. */
  membersOnly: boolean
}

const groupsOf = prepared((db, { userId }: { userId: string }) =>
  db
    .selectFrom('group_member')
    .where('user_id', '=', userId)
    .select('group_id as id')
    .orderBy('group_id')
    .limit(sql.lit(fewGroups + 1)),
)

export async function listReader(
  db: Database,
  { visible, userId }: Reader,
  visibility: StoredVisibility | null = null,
): Promise<ListReader> {
  if (userId === null || visible.length === audiences.length) {
    return { visible, userId: null, visibility, groups: [], isInManyGroups: false }
  }
  const groups = (await groupsOf(db, { userId })).map(({ id }) => id)
  return { visible, userId, visibility, groups, isInManyGroups: groups.length > fewGroups }
}

/** The kinds of rows of which the reader may read some; an API's audience is its visibility. */
export function kindsFor({ visible, visibility, groups }: ListReader, table: 'api' | 'api_version'): Kind[] {
  return audiences
    .flatMap((audience, place) =>
      (table === 'api' ? [audience] : audiences.slice(0, place + 1)).map((each) => ({
        audience,
        visibility: each,
        membersOnly: !visible.includes(audience),
      })),
    )
    .filter((kind) => visibility === null || kind.visibility === visibility)
    .filter(({ membersOnly }) => !membersOnly || groups.length > 0)
}

import { type RawBuilder, sql } from 'kysely'
import { type Caller, type Reader, readerOf } from '../access/caller.ts'
import { administers } from '../access/entitlement.ts'
import { momentOfChange } from '../api-versions/owning-api.ts'
import { allowLongWork } from '../database/long-work.ts'
import { prepared } from '../database/prepared.ts'
import type { StoredVisibility, Transaction } from '../database/tables.ts'
import { lockedWorkflow } from '../workflow/store.ts'
import { indexApi } from './search-text.ts'
import { type ChangedApi, columnsOfA, ratingsAndFollowing } from './store.ts'

/** What to change of an API, but for its visibility; undefined keeps the value. */
export interface ApiMembers {
  name?: string | undefined
  description?: string | undefined
  summary?: string | undefined
  tags?: string[] | undefined
  /** Null for no picture. */
  pictureId?: string | null | undefined
}

/** An API whose versions do not know yet what was changed of it. */
interface ApiAsChanged extends ChangedApi {
  searchTextChanged: boolean
}

/**
 * Changes an API and locks it until the transaction ends.
 * @throws `refusal` when there is none, or the caller may not modify it
 */
export async function changeApi(
  trx: Transaction,
  caller: Caller,
  id: string,
  members: ApiMembers,
  refusal: () => Promise<Error>,
): Promise<ApiAsChanged> {
  const { name = null, description = null, summary = null, tags = null, pictureId = null } = members
  const changesPicture = members.pictureId !== undefined
  const [row] = await change(trx, {
    caller: caller.userId,
    id,
    name,
    description,
    summary,
    tags,
    changesPicture,
    pictureId,
    ...readerOf(caller),
  })
  if (!row) throw await refusal()
  return row
}

/**
 * Carries what was changed of an API on to its versions, and changes its visibility, which goes on to them too. That may
 * take long: what can be refused before has to be, all but the state, name and content of a nested version.
 */
export async function propagateToVersions(
  trx: Transaction,
  api: ApiAsChanged,
  visibility: StoredVisibility | undefined,
): Promise<void> {
  if (visibility !== undefined && visibility !== api.visibility) {
    allowLongWork(trx)
    await trx.updateTable('api').set({ visibility }).where('id', '=', api.id).execute()
    api.visibility = visibility
  }
  if (api.searchTextChanged) await indexApi(trx, api)
}

interface Values extends Reader {
  id: string
  caller: string
  name: string | null
  description: string | null
  summary: string | null
  tags: string[] | null
  changesPicture: boolean
  pictureId: string | null
}

const change = prepared((db, values: Values) =>
  db
    .updateTable('api as a')
    // The row as it was, whoever changed it last; it is locked behind the caller's rights and the workflow.
    .from((from) =>
      from
        .selectFrom(['api as b', lockedWorkflow.as('w')])
        .where('b.id', '=', values.id)
        .where(administers({ userId: values.caller }, 'b.admin_group_id'))
        .select(['b.id', 'b.name', 'b.summary', 'b.description', 'b.tags', 'w.initial'])
        .forNoKeyUpdate('b')
        .as('o'),
    )
    .set({
      name: kept(values.name, 'name'),
      description: kept(values.description, 'description'),
      summary: kept(values.summary, 'summary'),
      tags: sql`coalesce(${values.tags}::text[], a.tags)`,
      picture_id: sql`case when ${values.changesPicture}::boolean then ${values.pictureId}::uuid else a.picture_id end`,
      updated: momentOfChange,
      revision: sql`a.revision + 1`,
    })
    .whereRef('a.id', '=', 'o.id')
    .returning(columnsOfA)
    .returning('o.initial')
    .returning(ratingsAndFollowing(values))
    .returning(
      sql<boolean>`(a.name, a.summary, a.description, a.tags) is distinct from (o.name, o.summary, o.description, o.tags)`.as(
        'searchTextChanged',
      ),
    ),
)

function kept<Value>(value: Value, column: string): RawBuilder<NonNullable<Value>> {
  return sql`coalesce(${value}::text, ${sql.ref(`a.${column}`)})`
}

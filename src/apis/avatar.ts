import { sql } from 'kysely'
import { type Caller, notEntitled, readerOf } from '../access/caller.ts'
import { missingApi } from '../api-versions/owning-api.ts'
import { apiReadable } from '../api-versions/permission.ts'
import type { Database } from '../database/tables.ts'
import { NotFound } from '../fault.ts'

/** The picture of an API; `bytes` is null where its state is one that the client has already. */
export interface Avatar {
  state: string
  mediaType: string
  bytes: Buffer | null
}

/**
 * Reads the picture of an API.
 * @throws NotFound when there is no such API, or it has no picture; Unauthorized
 */
export async function readAvatar(
  db: Database,
  caller: Caller | null,
  id: string,
  givenId: string,
  knownStates: string[] | undefined,
): Promise<Avatar> {
  const row = await db
    .selectFrom('api as a')
    .leftJoin('api_picture as p', 'p.api_id', 'a.id')
    .where('a.id', '=', id)
    .select([
      'p.id as state',
      'p.media_type as mediaType',
      sql<Buffer | null>`case when p.id::text = any(${knownStates ?? null}::text[]) then null else p.bytes end`.as(
        'bytes',
      ),
      apiReadable(readerOf(caller)).as('readable'),
    ])
    .executeTakeFirst()
  if (!row) throw await missingApi(db, id, givenId)
  if (!row.readable) throw notEntitled(caller, 'this needs Read permission on the API')
  const { state, mediaType, bytes } = row
  if (state === null || mediaType === null) throw new NotFound('This API has no picture.')
  return { state, mediaType, bytes }
}

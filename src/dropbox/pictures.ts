import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import type { Database, Transaction } from '../database/tables.ts'
import { invalidMember, Malformed } from '../fault.ts'
import { newId } from '../ids.ts'
import { pictureType } from '../picture-type.ts'
import { isKept, makeRoom } from './make-room.ts'

const mostOfOneUser = 20

/**
 * Stores a picture for its user, of whom as many are kept as there is room for.
 * @returns its stored id
 * @throws Malformed for a file that is none of the pictures that are taken
 */
export async function insertPicture(db: Database, caller: Caller, bytes: Buffer): Promise<string> {
  const mediaType = pictureType(bytes)
  if (!mediaType) throw new Malformed('The file is not a picture that is taken: PNG, JPEG, GIF or WebP.')
  await makeRoom(db, 'dropbox_picture', caller.userId, mostOfOneUser)
  const id = newId()
  await db.insertInto('dropbox_picture').values({ id, user_id: caller.userId, media_type: mediaType, bytes }).execute()
  return id
}

/**
 * Gives a picture that the caller has sent to an API, locked by this transaction, in place of the one that it has; null
 * takes that away. The picture that the API has already may stay, whoever sent it.
 * @throws Malformed for every other picture.
 */
export async function givePicture(
  trx: Transaction,
  caller: Caller,
  apiId: string,
  pictureId: string | null,
): Promise<void> {
  if (pictureId === null) {
    await trx.deleteFrom('api_picture').where('api_id', '=', apiId).execute()
    return
  }
  const given = await sql`
    with sent as (
      delete from dropbox_picture
      where id = ${pictureId} and user_id = ${caller.userId} and ${isKept}
      returning id, media_type, bytes)
    insert into api_picture (api_id, id, media_type, bytes) select ${apiId}::uuid, id, media_type, bytes from sent
    on conflict (api_id) do update set id = excluded.id, media_type = excluded.media_type, bytes = excluded.bytes`.execute(
    trx,
  )
  if (given.numAffectedRows) return
  const present = await trx
    .selectFrom('api_picture')
    .where('api_id', '=', apiId)
    .where('id', '=', pictureId)
    .select('id')
    .executeTakeFirst()
  if (!present) throw notYours()
}

/** The fault for a PictureID that an API may not have. */
export function notYours(): Error {
  return invalidMember('/PictureID', 'must be of a picture that you sent within a day, or the one that the API has')
}

import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import type { Database, Transaction } from '../database/tables.ts'
import { invalidMember, NotFound } from '../fault.ts'
import type { Version } from '../imports/described.ts'
import type { ReadFile } from '../imports/read-file.ts'
import { isKept, makeRoom } from './make-room.ts'
import type { DLDescriptor } from './schemas.ts'

const mostOfOneUser = 100

/** Stores a file for its user, of whom as many are kept as there is room for. */
export async function insertFile(
  db: Database,
  caller: Caller,
  fileName: string,
  bytes: Buffer,
  { mediaType, descriptorType, serviceName, version }: ReadFile,
): Promise<number> {
  await makeRoom(db, 'dropbox_file', caller.userId, mostOfOneUser)
  const { id } = await db
    .insertInto('dropbox_file')
    .values({
      user_id: caller.userId,
      file_name: fileName,
      media_type: mediaType,
      descriptor_type: descriptorType,
      service_name: serviceName,
      version,
      bytes,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return Number(id)
}

/** A file to import: the name of its service, and the version that it describes. */
export interface StoredFile {
  id: string
  serviceName: string
  version: Version
}

const pointer = '/DLDescriptor/ServiceDescriptorReference'

/**
 * Finds the file that a request refers to; one of another user does not exist.
 * @throws NotFound; Malformed when it describes another service.
 */
export async function findFile(
  db: Database,
  caller: Caller,
  { ServiceDescriptorReference: { DropboxFileId, ServiceName } }: Static<typeof DLDescriptor>,
): Promise<StoredFile> {
  const missing = new NotFound(`You have no file with the DropboxFileId ${DropboxFileId}; files are kept for a day.`, [
    { pointer: `${pointer}/DropboxFileId`, message: 'is of no file of yours' },
  ])
  if (!Number.isSafeInteger(DropboxFileId)) throw missing
  const file = await db
    .selectFrom('dropbox_file')
    .where('id', '=', String(DropboxFileId))
    .where('user_id', '=', caller.userId)
    .where(isKept)
    .select(['id', 'service_name', sql<string>`version::text`.as('version')])
    .executeTakeFirst()
  if (!file) throw missing
  if (file.service_name !== ServiceName) {
    throw invalidMember(
      `${pointer}/ServiceName`,
      `must be ${JSON.stringify(file.service_name)}, which the file describes`,
    )
  }
  return { id: file.id, serviceName: file.service_name, version: JSON.parse(file.version) }
}

/** Keeps the bytes of a file with the version that was imported from it. */
export async function keepOriginal(trx: Transaction, versionId: string, fileId: string): Promise<void> {
  await trx
    .insertInto('imported_original')
    .columns(['version_id', 'file_name', 'media_type', 'bytes'])
    .expression(
      trx
        .selectFrom('dropbox_file')
        .where('id', '=', fileId)
        .select([sql<string>`${versionId}::uuid`.as('version_id'), 'file_name', 'media_type', 'bytes']),
    )
    .execute()
}

/** The document that a version was imported from, as it was sent. */
export interface Original {
  fileName: string
  mediaType: string
  bytes: Buffer
}

/** Undefined when the version was not imported. Whether the caller may read it is for the caller to decide. */
export function readOriginal(db: Database, versionId: string): Promise<Original | undefined> {
  return db
    .selectFrom('imported_original')
    .where('version_id', '=', versionId)
    .select(['file_name as fileName', 'media_type as mediaType', 'bytes'])
    .executeTakeFirst()
}

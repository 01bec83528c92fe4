import { randomUUID } from 'node:crypto'
import { chmod, lstat, mkdir, realpath, rmdir, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { reasonOf } from '../error-code.ts'
import { sharedHome } from './account.ts'
import { EmbeddedPostgresError } from './error.ts'

/**
 * Resolves to where a wanted folder really is, following links. It need not be there yet, but the folder around it.
 * @throws EmbeddedPostgresError when it is a link to nowhere.
 */
export async function realFolder(folder: string): Promise<string> {
  const parent = await realpath(dirname(folder))
  const place = join(parent, basename(folder))
  const found = await lstat(place).catch(() => undefined)
  if (!found?.isSymbolicLink()) return place
  return realpath(place).catch(() => {
    throw new EmbeddedPostgresError(
      `The database folder ${folder} is a link to a folder that is gone: bring that back, or remove the link to begin with an empty database.`,
    )
  })
}

/**
 * Makes the folder `real` a symbolic link to one that every account can reach, and resolves to that. It must be empty or
 * missing; `noted` is what the operator calls it.
 * @throws EmbeddedPostgresError when there can be no such folder.
 */
export async function linkAway(real: string, noted: string, note: (sentence: string) => void): Promise<string> {
  const kept = join(sharedHome, `data-${randomUUID()}`)
  // A new name each time: data whose link somebody removed do not come back. The folder before the link, because a link
  // to nowhere means that data were lost.
  await mkdir(kept, { recursive: true }).catch((error) => {
    throw new EmbeddedPostgresError(
      `The database folder ${noted} is out of reach for the account "nobody", which root runs PostgreSQL as, and ${sharedHome} cannot be made instead (${reasonOf(error)}): set DATABASE_URL or choose another folder.`,
    )
  })
  await chmod(sharedHome, 0o755)
  await rmdir(real).catch(() => {})
  await symlink(kept, real)
  note(
    `The database is kept in ${kept}, to which ${noted} is now a link, because root runs PostgreSQL as "nobody" and that account cannot enter ${dirname(real)}.`,
  )
  return kept
}

import { chown, mkdtemp, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Account, canEnter } from './account.ts'
import { EmbeddedPostgresError } from './error.ts'

const prefix = 'platform-api-pg-'

// Of sun_path on macOS; Linux allows four more.
const longestPath = 103

/**
 * Makes the folder of the unix socket, closed to other accounts. Not in the data folder, whose path may be too long.
 * @throws EmbeddedPostgresError when no folder for temporary files will do.
 */
export async function makeSocketFolder(account: Account): Promise<string> {
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    if (Buffer.byteLength(join(parent, `${prefix}XXXXXX`, '.s.PGSQL.5432.lock')) > longestPath) continue
    if (!(await canEnter(account, parent))) continue
    const folder = await mkdtemp(join(parent, prefix)).catch(() => undefined)
    if (folder && account) await chown(folder, account.uid, account.gid)
    if (folder) return folder
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL needs a folder for its socket, and neither TMPDIR nor /tmp can take one: make /tmp writable.',
  )
}

export async function removeSocketFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

/** Removes the folder that a killed service left, if it is one of ours and nothing is in it. */
export async function removeForsaken(folder: string): Promise<void> {
  if (basename(folder).startsWith(prefix)) await rmdir(folder).catch(() => {})
}

import { chown, lchown, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, reasonOf } from '../error-code.ts'
import { type Account, canEnter, failureOf } from './account.ts'
import type { Binaries } from './binaries.ts'
import { EmbeddedPostgresError } from './error.ts'
import { findHolder, readLock } from './holder.ts'
import { linkAway, realFolder } from './place-folder.ts'
import { makeWhole, removeUnfinished } from './whole-folder.ts'

interface FolderOptions {
  binaries: Binaries
  account: Account
  /** Whether a new cluster is to survive a power cut. */
  sync: boolean
  note: (sentence: string) => void
}

/**
 * Makes the folder ready for the server and resolves to where it really is: creates the cluster in it when it is
 * missing or empty. When the account cannot reach it, it becomes a symbolic link to one that the account can reach.
 * @throws EmbeddedPostgresError when the folder holds anything else, another major version, or cannot be made or read.
 */
export async function prepareClusterFolder(folder: string, options: FolderOptions): Promise<string> {
  try {
    await mkdir(dirname(folder), { recursive: true })
    const place = await findPlace(folder, options)
    await removeUnfinished(place)
    if (!(await holdsCluster(place, options.binaries.major))) {
      await createCluster(place, options)
      // Another process may have been quicker, with something else.
      await holdsCluster(place, options.binaries.major)
    }
    await own(place, options.account)
    return place
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error
    if (['EEXIST', 'ENOTDIR'].includes(codeOf(error) ?? ''))
      throw new EmbeddedPostgresError(`DATA_DIR leads to ${folder}, where a file is in the way: choose a folder.`)
    throw new EmbeddedPostgresError(
      `The database folder ${folder} cannot be made or read (${reasonOf(error)}): check that it belongs to the account that starts the service.`,
    )
  }
}

async function findPlace(folder: string, { binaries, account, note }: FolderOptions): Promise<string> {
  const real = await realFolder(folder)
  const isThere = await holdsCluster(real, binaries.major)
  if (await canEnter(account, dirname(real))) return real
  if (!isThere) return linkAway(real, folder, note)
  throw new EmbeddedPostgresError(
    `The database folder ${folder} is in a folder that the account "nobody", which root runs PostgreSQL as, cannot enter: start the service as its owner or move it.`,
  )
}

/** Whether there is a cluster of this major version; false when nothing is there. */
async function holdsCluster(folder: string, major: string): Promise<boolean> {
  const names = await readdir(folder).catch((error): string[] => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  if (names.length === 0) return false
  if (!names.includes('PG_VERSION')) {
    throw new EmbeddedPostgresError(
      `The database folder ${folder} is not empty and holds no PostgreSQL data: choose another folder.`,
    )
  }
  const found = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim()
  if (found !== major) {
    throw new EmbeddedPostgresError(
      `The database folder ${folder} holds data of PostgreSQL ${found}, which PostgreSQL ${major} cannot read: start the version of the service that wrote it, or choose another folder.`,
    )
  }
  return true
}

async function createCluster(folder: string, { binaries, account, sync }: FolderOptions): Promise<void> {
  await makeWhole(folder, async (temporary) => {
    if (account) await chown(temporary, account.uid, account.gid)
    const encoding = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
    const others = ['--auth=trust', '--no-instructions', ...(sync ? [] : ['--no-sync'])]
    const failure = await failureOf(account, binaries.initdb, ['-D', temporary, '-U', 'app', ...encoding, ...others])
    if (failure) throw new EmbeddedPostgresError(`PostgreSQL could not set up its folder ${folder}: ${failure}`)
  })
}

/** Gives the cluster to the account when it was another's before. */
async function own(folder: string, account: Account): Promise<void> {
  if (!account || (await stat(folder)).uid === account.uid) return
  const lock = await readLock(folder)
  if (lock && (await findHolder(lock.pid))?.isServer) {
    throw new EmbeddedPostgresError(
      `A service of another account is using the database folder ${folder} (its PostgreSQL is process ${lock.pid}): stop that one or choose another folder.`,
    )
  }
  for (const name of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, name), account.uid, account.gid)
  }
  // Last, because it tells that the others are done.
  await chown(folder, account.uid, account.gid)
}

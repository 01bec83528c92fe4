import { chmod, copyFile, lstat, mkdir, readdir, readlink, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { reasonOf } from '../error-code.ts'
import { sharedHome } from './account.ts'
import { EmbeddedPostgresError } from './error.ts'
import { addLinks, type Link } from './library-links.ts'
import { makeWhole, removeUnfinished } from './whole-folder.ts'

/**
 * Copies the binaries of the package in `root` to the folder `copy`, unless they are there.
 * @throws EmbeddedPostgresError when that folder cannot be made.
 */
export async function copyBinaries(root: string, copy: string, links: Link[]): Promise<void> {
  try {
    await mkdir(dirname(copy), { recursive: true })
    if (dirname(copy) === sharedHome) await chmod(sharedHome, 0o755)
    await removeUnfinished(copy)
    if (await lstat(copy).catch(() => undefined)) return
    await makeWhole(copy, async (temporary) => {
      await copyFolder(join(root, 'native'), join(temporary, 'native'))
      await addLinks(temporary, links)
      await chmod(temporary, 0o755)
    })
  } catch (error) {
    throw new EmbeddedPostgresError(
      `PostgreSQL has to be copied to ${copy} to be run, and that failed (${reasonOf(error)}): set DATABASE_URL, or start the service as an ordinary user who may write to node_modules.`,
    )
  }
}

// Unlike fs.cp it lets every account read the copy, whatever the original allows.
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyFolder(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else {
      await copyFile(source, target)
      await chmod(target, (await lstat(source)).mode & 0o100 ? 0o755 : 0o644)
    }
  }
}

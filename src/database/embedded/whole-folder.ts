import { randomBytes } from 'node:crypto'
import { mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../error-code.ts'

const here = `${process.pid}-${randomBytes(4).toString('hex')}`

/**
 * Fills a folder under a temporary name beside it and renames it, so that it is whole or absent, whenever this process
 * dies. When another process is quicker, what that one made stays.
 * @throws what `fill` throws, and system errors when the folder beside cannot be made or renamed.
 */
export async function makeWhole(folder: string, fill: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = await mkdtemp(`${folder}.new-${here}-`)
  try {
    await fill(temporary)
    await rename(temporary, folder).catch((error) => {
      if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error
    })
    await keepNames(dirname(folder))
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Removes what a process left of `makeWhole` when it was killed. */
export async function removeUnfinished(folder: string): Promise<void> {
  const prefix = `${basename(folder)}.new-`
  for (const name of await readdir(dirname(folder)).catch(() => [])) {
    const [pid, nonce] = name.startsWith(prefix) ? name.slice(prefix.length).split('-') : []
    // In a container every start may have the same process id.
    if (!pid || `${pid}-${nonce}` === here || (Number(pid) !== process.pid && isAlive(Number(pid)))) continue
    // Programs that the killed process started may still write there for a moment.
    await rm(join(dirname(folder), name), { recursive: true, force: true, maxRetries: 5 })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

// Without it a power cut could undo the rename although the data inside are safe.
async function keepNames(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

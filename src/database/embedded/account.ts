import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { EmbeddedPostgresError } from './error.ts'

/** The system account that runs PostgreSQL; undefined stands for the account of this process. */
export type Account = { uid: number; gid: number } | undefined

/** Where things go that the account must reach when the folders of root are closed to it. */
export const sharedHome = '/var/lib/platform-api-management'

/** All that PostgreSQL gets to see of the environment: PGDATA, LANG and the like would change what it does. */
export const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * The account to run PostgreSQL as: it refuses to run as root, so root takes `nobody`.
 * @throws EmbeddedPostgresError when this is root and there is no such account.
 */
export async function serverAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(accounts)
  if (!nobody) {
    throw new EmbeddedPostgresError(
      'PostgreSQL does not run as root and there is no account "nobody" to run it as: start the service as an ordinary user or set DATABASE_URL.',
    )
  }
  return { uid: Number(nobody[1]), gid: Number(nobody[2]) }
}

/** Runs a program as the account; resolves to why it failed (what it wrote to stderr, or why it did not run), or undefined. */
export function failureOf(account: Account, program: string, args: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: '/', env: environment, ...account }, (error, _stdout, stderr) =>
      resolve(error ? stderr.trim() || error.message : undefined),
    )
  })
}

/** Whether the account may reach what lies in a folder. */
export async function canEnter(account: Account, folder: string): Promise<boolean> {
  return !account || (await failureOf(account, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder])) === undefined
}

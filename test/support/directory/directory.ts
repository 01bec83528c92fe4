import { afterAll } from 'vitest'
import { startLdapjs } from './ldapjs.ts'
import { hasSlapd, startSlapd } from './slapd.ts'
import type { TestDirectory } from './test-directory.ts'

export type DirectoryKind = 'slapd' | 'ldapjs'

/** The directories that tests run with: the real one where it is installed, and always the stand-in. */
export const directoryKinds: DirectoryKind[] = hasSlapd ? ['slapd', 'ldapjs'] : ['ldapjs']

if (!hasSlapd) console.log('slapd is not installed: the tests of directories run with ldapjs alone.')

/** Starts a directory, which ends with the test file. */
export async function startDirectory(kind: DirectoryKind): Promise<TestDirectory> {
  const directory = await (kind === 'slapd' ? startSlapd() : startLdapjs())
  afterAll(directory.remove)
  return directory
}

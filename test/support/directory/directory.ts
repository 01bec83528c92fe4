import { afterAll } from 'vitest'
import { startLdapjs } from './ldapjs.ts'
import { hasSlapd, startSlapd } from './slapd.ts'
import type { TestDirectory } from './test-directory.ts'

export type DirectoryKind = 'slapd' | 'ldapjs'

/** The directories that tests run with: the real one where it is installed, and always the stand-in. */
export const directoryKinds: DirectoryKind[] = hasSlapd ? ['slapd', 'ldapjs'] : ['ldapjs']

if (!hasSlapd) console.log('slapd is not installed: the tests of directories run with ldapjs alone.')

/** Starts a directory, which ends with the test file; `atEnd` is the test's own hook within one. */
export async function startDirectory(
  kind: DirectoryKind,
  atEnd: (end: () => Promise<void>) => void = afterAll,
): Promise<TestDirectory> {
  const directory = await (kind === 'slapd' ? startSlapd() : startLdapjs())
  atEnd(directory.remove)
  return directory
}

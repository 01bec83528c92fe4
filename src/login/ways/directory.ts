import type { DirectorySettings } from '../../login-domains/settings.ts'
import type { CredentialsWay } from './way.ts'

/** Proves by name and password at a directory (LDAP). */
export const directory: CredentialsWay<DirectorySettings> = {
  needs: 'credentials',
  prove: async () => undefined,
  test: async () => [],
}

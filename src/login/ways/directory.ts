import { TooManyRequests, Unavailable } from '../../fault.ts'
import { atMost } from '../../in-flight.ts'
import type { DirectorySettings } from '../../login-domains/settings.ts'
import type { Identity } from '../people.ts'
import { bindService, passwordMatches } from './directory/binds.ts'
import { withDirectory } from './directory/connection.ts'
import { findGroups, findPerson } from './directory/entries.ts'
import { DirectoryFailure, failing } from './directory/failure.ts'
import { identityOf } from './directory/identity.ts'
import { testDirectory } from './directory/test-directory.ts'
import type { CredentialsWay, DomainOf, NameAndPassword } from './way.ts'

const withinLimit = atMost(
  { ofOneKey: 20 },
  () => new TooManyRequests('It is being tried too often at this moment.', 1),
)

/** Proves by name and password at a directory (LDAP). */
export const directory: CredentialsWay<DirectorySettings> = {
  needs: 'credentials',
  prove: async (domain, credentials) => {
    if (!isPossible(credentials)) return undefined
    return provePerson(domain, credentials).catch(unavailable)
  },
  test: (domain) => withinLimit(domain.id, () => testDirectory(domain)),
}

/**
 * To bind without a password proves nothing and succeeds. A directory that ends text at NUL would read one where none is
 * seen.
 */
function isPossible({ userName, password }: NameAndPassword): boolean {
  return /^[^\p{Cc}\p{Cs}]{1,256}$/u.test(userName) && password !== '' && !password.includes('\0')
}

async function provePerson(
  domain: DomainOf<DirectorySettings>,
  { userName, password }: NameAndPassword,
): Promise<Identity | undefined> {
  const { settings } = domain
  return withDirectory(settings, failing, async (client) => {
    await failing('Sign in as the service account', () => bindService(client, domain))
    const person = await failing('Find the person', () => findPerson(client, settings, userName))
    const isProven = await failing('Check the password', () => passwordMatches(client, settings, person?.dn, password))
    if (!person || !isProven) return undefined
    const groups = await failing('Find the groups of the person', async () => {
      if (!settings.GroupBaseDn) return []
      await bindService(client, domain)
      return findGroups(client, settings, person)
    })
    return failing('Read the person', async () => identityOf(settings, person, groups))
  })
}

function unavailable(error: unknown): never {
  if (!(error instanceof DirectoryFailure)) throw error
  throw new Unavailable('The directory cannot say at this moment who you are: try again.', error)
}

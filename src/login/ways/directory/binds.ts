import { randomUUID } from 'node:crypto'
import type { Client } from 'ldapts'
import type { DirectorySettings } from '../../../login-domains/settings.ts'
import type { DomainOf } from '../way.ts'
import { DirectoryFailure, resultCode } from './failure.ts'

/**
 * Binds as the service account; as nobody where there is none.
 * @throws DirectoryFailure without a secret: to bind without a password is to be nobody, and succeeds.
 */
export async function bindService(
  client: Client,
  { settings: { BindDn }, secret }: DomainOf<DirectorySettings>,
): Promise<void> {
  if (!BindDn) return client.bind('', '')
  if (!secret) throw new DirectoryFailure('The service account has no secret.')
  await client.bind(BindDn, secret)
}

// What directories say of a wrong password, and of accounts that are locked, disabled or without a password.
const refusals = [19, 32, 34, 48, 49, 50, 53]

/**
 * Whether a password is that of an entry.
 * @param dn none for a name that nobody has: the directory is asked all the same, so that it takes alike
 */
export async function passwordMatches(
  client: Client,
  { BaseDn }: DirectorySettings,
  dn: string | undefined,
  password: string,
): Promise<boolean> {
  const [name, proof] = dn === undefined ? [`cn=${randomUUID()},${BaseDn}`, randomUUID()] : [dn, password]
  try {
    await client.bind(name, proof)
    return dn !== undefined
  } catch (error) {
    const code = resultCode(error)
    if (code !== undefined && refusals.includes(code)) return false
    throw error
  }
}

import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Database } from '../database/tables.ts'
import { Malformed, Unauthorized } from '../fault.ts'
import { wireId } from '../ids.ts'
import { openSession } from '../login/open-session.ts'
import type { SignedIn } from '../login/tokens.ts'
import { proveByPassword } from '../login/ways/password.ts'
import type { Services } from '../services.ts'
import type { LoginForm } from './schemas.ts'

/** The built-in login domain by its id: named, it lets administrators in only. */
const builtIn = 'siteusers'

/**
 * Signs a user of the platform in with name or e-mail address and password.
 * @throws Malformed, TooManyRequests, Unauthorized with one text for all that may be wrong
 */
export async function logIn(
  services: Services,
  request: FastifyRequest,
  form: Static<typeof LoginForm>,
): Promise<SignedIn> {
  const { db, config, vendor } = services
  const { identity_username: userName, identity_email: email, secret_password: password, Domain } = form
  const name = email ?? userName
  if (name === undefined) throw new Malformed('identity_username or identity_email is missing.')
  if (Domain && Domain !== builtIn && Domain !== wireId(vendor, builtIn)) {
    throw new Malformed(`Domain must be ${builtIn} here; sign in to another login domain through ssoLogin.`)
  }
  const nameIs = email === undefined ? 'user_name' : 'email'
  const proof = { name, nameIs, password, address: request.ip } as const
  const proven = await proveByPassword(db, proof, config.loginAddressPerMinute)
  const isAdmitted = proven && (!Domain || (await isAdministrator(db, proven.userId)))
  const person = isAdmitted ? await openSession(db, services, proven, 'oauth') : undefined
  if (!person) {
    request.log.info({ address: request.ip }, 'sign-in refused')
    throw new Unauthorized('The user name, the e-mail address or the password is wrong.')
  }
  request.log.info({ user: person.userId, address: request.ip }, 'signed in')
  return person
}

async function isAdministrator(db: Database, userId: string): Promise<boolean> {
  const role = await db
    .selectFrom('role_grant')
    .where('user_id', '=', userId)
    .select('role')
    .limit(1)
    .executeTakeFirst()
  return role !== undefined
}

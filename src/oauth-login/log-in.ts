import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { builtInDomain, type Database } from '../database/tables.ts'
import { Malformed, Unauthorized } from '../fault.ts'
import { wireId } from '../ids.ts'
import { enterByPassword } from '../login/sign-in.ts'
import type { SignedIn } from '../login/tokens.ts'
import type { Services } from '../services.ts'
import type { LoginForm } from './schemas.ts'

/**
 * Signs a user of the platform in with name or e-mail address and password; who names the built-in domain has to be an
 * administrator.
 * @throws Malformed, TooManyRequests, Unauthorized with one text for all that may be wrong
 */
export async function logIn(
  services: Services,
  request: FastifyRequest,
  form: Static<typeof LoginForm>,
): Promise<SignedIn> {
  const { db, vendor } = services
  const { identity_username: userName, identity_email: email, secret_password: password, Domain } = form
  const name = email || userName
  if (!name) throw new Malformed('identity_username or identity_email is missing.')
  if (Domain && Domain !== builtInDomain && Domain !== wireId(vendor, builtInDomain)) {
    throw new Malformed(`Domain must be ${builtInDomain} here; sign in to another login domain through ssoLogin.`)
  }
  const nameIs = email ? 'email' : 'user_name'
  const isLetIn = async (userId: string) => !Domain || isAdministrator(db, userId)
  const person = await enterByPassword(services, request, { name, nameIs, password }, 'oauth', isLetIn)
  if (!person) throw new Unauthorized('The user name, the e-mail address or the password is wrong.')
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

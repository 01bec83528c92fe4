import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { SessionInterface } from '../database/tables.ts'
import { Unauthorized } from '../fault.ts'
import type { Services } from '../services.ts'
import { refuseForeignPage } from './foreign-pages.ts'
import { openSession } from './open-session.ts'
import { type Named, refusalsLogged } from './refusals.ts'
import type { Credentials, LoginStatus } from './schemas.ts'
import { issueToken, type SignedIn } from './tokens.ts'
import { proveByPassword, type Typed } from './ways/password.ts'

/**
 * Signs a person in with a platform password: a new session, whatever cookie came along.
 * @throws Unauthorized with one text for all that may be wrong; TooManyRequests.
 */
export async function signIn(
  services: Services,
  request: FastifyRequest<{ Body: Static<typeof Credentials> }>,
  reply: FastifyReply,
): Promise<Static<typeof LoginStatus>> {
  refuseForeignPage(request, services.config, 'main')
  const { email, password } = request.body
  const person = await enterByPassword(services, request, { name: email, nameIs: 'email', password }, 'main')
  if (!person) throw new Unauthorized('The e-mail address or the password is wrong.')
  return issueToken(reply, services, person)
}

/**
 * Opens a session of whoever a platform password proves.
 * @param isLetIn who else is refused
 * @returns undefined for all that may be wrong
 * @throws TooManyRequests
 */
export function enterByPassword(
  services: Services,
  request: FastifyRequest,
  typed: Typed,
  on: SessionInterface,
  isLetIn: (userId: string) => Promise<boolean> = async () => true,
): Promise<SignedIn | undefined> {
  const named: Named = { account: typed.name }
  return refusalsLogged(services, request, named, async () => {
    const proven = await proveByPassword(services, request.ip, typed, (userId) => {
      named.user = userId
    })
    if (!proven || !(await isLetIn(proven.userId))) return undefined
    const person = await openSession(services.db, services, proven, on)
    if (person) request.log.info({ user: person.userId, address: request.ip }, 'signed in')
    return person
  })
}

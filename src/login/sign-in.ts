import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { Unauthorized } from '../fault.ts'
import type { Services } from '../services.ts'
import { openSession } from './open-session.ts'
import type { Credentials, LoginStatus } from './schemas.ts'
import { issueToken } from './tokens.ts'
import { proveByPassword } from './ways/password.ts'

/**
 * Signs a person in with a platform password: a new session, whatever cookie came along.
 * @throws Unauthorized with one text for all that may be wrong; TooManyRequests.
 */
export async function signIn(
  services: Services,
  request: FastifyRequest<{ Body: Static<typeof Credentials> }>,
  reply: FastifyReply,
): Promise<Static<typeof LoginStatus>> {
  const { db, config } = services
  refuseForeignOrigin(request, config.publicUrl)
  const { email, password } = request.body
  const proof = { name: email, nameIs: 'email' as const, password, address: request.ip }
  const proven = await proveByPassword(db, proof, config.loginAddressPerMinute)
  const person = proven && (await openSession(db, services, proven, 'main'))
  if (!person) {
    request.log.info({ address: request.ip }, 'sign-in refused')
    throw new Unauthorized('The e-mail address or the password is wrong.')
  }
  request.log.info({ user: person.userId, address: request.ip }, 'signed in')
  return issueToken(reply, services, person)
}

/** Keeps a page of another site from signing a visitor in as somebody else. */
export function refuseForeignOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  const origin = request.headers.origin
  if (origin === undefined || origin === publicUrl) return
  if (URL.canParse(origin) && new URL(origin).host === request.headers.host) return
  throw new Unauthorized('A page of another site may not sign people in.')
}

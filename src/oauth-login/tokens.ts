import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { cookieAttributes, cookieOf } from '../access/cookies.ts'
import { findSession } from '../access/sessions.ts'
import { readToken, writeToken } from '../access/token.ts'
import { Unauthorized } from '../fault.ts'
import { wireId } from '../ids.ts'
import type { SignedIn } from '../login/tokens.ts'
import type { Services } from '../services.ts'
import type { OAuthLogin } from './schemas.ts'

const lifetimeMs = 600_000

/** Gives the browser a new token of the session, good for ten minutes and no longer than the session. */
export function issueOAuthToken(reply: FastifyReply, services: Services, person: SignedIn): Static<typeof OAuthLogin> {
  const { vendor, keys } = services
  const { sessionId, userId, userName, domainId } = person
  const issueTime = Math.floor(person.now)
  const expirationTime = Math.min(issueTime + lifetimeMs, person.end)
  const userFDN = wireId(vendor, userId)
  const subject = { sessionId, claimedBy: domainId, userId, userName, userFDN, issueTime, expirationTime }
  reply.setCookie(vendor.oauthCookie, writeToken(subject, 'oauth', vendor, keys), attributes(services))
  return { DomainName: person.domainName, UserName: userName }
}

/**
 * The person whom the request's token names.
 * @throws Unauthorized without a token, or with one that expired or whose session ended
 */
export async function oauthPerson(services: Services, request: FastifyRequest): Promise<SignedIn> {
  const { db, vendor, keys, config } = services
  const cookie = cookieOf(request, vendor.oauthCookie)
  if (cookie === undefined)
    throw new Unauthorized(`You are not signed in: the cookie ${vendor.oauthCookie} is missing.`)
  const token = readToken(cookie, 'oauth', keys)
  if (!token) throw new Unauthorized(`The cookie ${vendor.oauthCookie} is not a token of this service.`)
  const found = await findSession(db, token.sessionId, config, 'oauth')
  if (!found || token.expirationTime <= found.now) throw new Unauthorized('The token has expired: sign in again.')
  return { ...found.caller, now: found.now, end: found.end }
}

/** The session of the request's token, expired or not; undefined without a token of ours. */
export function oauthSessionId({ vendor, keys }: Services, request: FastifyRequest): string | undefined {
  return readToken(cookieOf(request, vendor.oauthCookie) ?? '', 'oauth', keys)?.sessionId
}

export function clearOAuthToken(reply: FastifyReply, services: Services): void {
  reply.clearCookie(services.vendor.oauthCookie, attributes(services))
}

function attributes({ config }: Services) {
  return { ...cookieAttributes(config, 'oauth'), httpOnly: true }
}

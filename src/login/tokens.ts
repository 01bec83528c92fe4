import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { setSignInCookies } from '../access/cookies.ts'
import { writeCsrfToken } from '../access/csrf.ts'
import { writeToken } from '../access/token.ts'
import { wireId } from '../ids.ts'
import type { Services } from '../services.ts'
import type { LoginStatus } from './schemas.ts'

/** A person with a session; times are milliseconds since 1970 by the database's clock. */
export interface SignedIn extends Pick<Caller, 'sessionId' | 'userId' | 'userName' | 'domainId' | 'domainName'> {
  now: number
  /** When the session ends at the latest. */
  end: number
}

/** Gives the browser a new token and CSRF token of the session, and says until when they hold. */
export function issueToken(
  reply: FastifyReply,
  { config, vendor, keys }: Services,
  person: SignedIn,
): Static<typeof LoginStatus> {
  const issueTime = Math.floor(person.now)
  const expirationTime = Math.min(issueTime + config.tokenLifetimeSeconds * 1000, person.end)
  const userFDN = wireId(vendor, person.userId)
  const { sessionId, userId, userName } = person
  const subject = { sessionId, claimedBy: vendor.fedmemberId, userId, userName, userFDN, issueTime, expirationTime }
  const token = writeToken(subject, 'main', vendor, keys)
  setSignInCookies(reply, token, writeCsrfToken(sessionId, expirationTime, keys), vendor, config)
  return loginStatus({ userFDN, userName, loginDomainId: wireId(vendor, person.domainId), expirationTime })
}

export function loginStatus(person: {
  userFDN: string
  userName: string
  loginDomainId: string
  expirationTime: number
}): Static<typeof LoginStatus> {
  const { userName, userFDN, loginDomainId, expirationTime } = person
  return {
    userName,
    userFDN,
    avatarURL: '',
    status: 'Active',
    loginState: 'LoggedIn',
    loginDomainId,
    authTokenValidUntil: new Date(expirationTime).toISOString(),
    pendingNotifications: 0,
  }
}

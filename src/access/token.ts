import type { SessionInterface } from '../database/tables.ts'
import { decodeOnce } from '../percent-encoding.ts'
import type { Vendor } from '../vendor.ts'
import type { KeyRing } from './keys.ts'

/** What a token says. Times are milliseconds since 1970 by the database's clock. */
export interface Token {
  sessionId: string
  expirationTime: number
}

export interface TokenSubject {
  sessionId: string
  /** The federation member, or the login domain, that the claimed id names. */
  claimedBy: string
  userId: string
  userName: string
  /** The user's id on the wire. */
  userFDN: string
  issueTime: number
  expirationTime: number
}

// A token of one interface does not verify on the other.
const purposes: Record<SessionInterface, string> = { main: 'token', oauth: 'oauth token' }
const form = /^TokenID=([0-9a-f-]{36}),claimed_id=[^,]*,issueTime=\d+,expirationTime=(\d+),UserName=/

/** Writes the contract's comma list; the cookie carries it URL-encoded. */
export function writeToken(subject: TokenSubject, on: SessionInterface, vendor: Vendor, keys: KeyRing): string {
  const list = [
    `TokenID=${subject.sessionId}`,
    `claimed_id=${vendor.claimedIdPrefix}:user:${subject.claimedBy}:${subject.userId}`,
    `issueTime=${subject.issueTime}`,
    `expirationTime=${subject.expirationTime}`,
    `UserName=${asMember(subject.userName)}`,
    `UserFDN=${subject.userFDN}`,
    'AttributesIncluded=false',
  ].join()
  return `${list},sig=${keys.sign(purposes[on], list)}`
}

/** A name from elsewhere may hold what divides the list. */
function asMember(text: string): string {
  return text.replace(/[,=%\p{Cc}]/gu, encodeURIComponent)
}

/** Reads a cookie's value, still URL-encoded; undefined when it is not a token that we signed. Expiry is not looked at. */
export function readToken(cookie: string, on: SessionInterface, keys: KeyRing): Token | undefined {
  const signed = decodeOnce(cookie)
  const end = signed?.lastIndexOf(',sig=') ?? -1
  if (!signed || end < 0) return undefined
  const list = signed.slice(0, end)
  const [, sessionId, expirationTime] = form.exec(list) ?? []
  if (!sessionId || !keys.verify(purposes[on], list, signed.slice(end + 5))) return undefined
  return { sessionId, expirationTime: Number(expirationTime) }
}

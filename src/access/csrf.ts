import { randomUUID } from 'node:crypto'
import { decodeOnce } from '../percent-encoding.ts'
import { type KeyRing, verifiedOnce } from './keys.ts'

const purpose = 'csrf'
const form = /^(TokenID=[0-9a-f-]{36},expirationTime=(\d+)),sig=([\w-]+)$/

/** Writes a CSRF token that holds for one session only; the cookie and the header carry it URL-encoded. */
export function writeCsrfToken(sessionId: string, expirationTime: number, keys: KeyRing): string {
  const list = `TokenID=${randomUUID()},expirationTime=${expirationTime}`
  return `${list},sig=${keys.sign(purpose, `${sessionId},${list}`)}`
}

/** Makes what tells whether a header's value is a CSRF token of a session that has not expired at `now`, in ms since 1970. */
export function csrfTokenCheck(keys: KeyRing): (header: string, sessionId: string, now: number) => boolean {
  const expirationOf = verifiedOnce((header: string, sessionId: string) => {
    const [, list, expirationTime, signature] = form.exec(decodeOnce(header) ?? '') ?? []
    const isOurs = list && signature && keys.verify(purpose, `${sessionId},${list}`, signature)
    return isOurs ? Number(expirationTime) : undefined
  })
  return (header, sessionId, now) => (expirationOf(header, sessionId) ?? now) > now
}

import { randomUUID } from 'node:crypto'
import type { KeyRing } from './keys.ts'
import { decodeOnce } from './token.ts'

const purpose = 'csrf'
const form = /^(TokenID=[0-9a-f-]{36},expirationTime=(\d+)),sig=([\w-]+)$/

/** Writes a CSRF token that holds for one session only; the cookie and the header carry it URL-encoded. */
export function writeCsrfToken(sessionId: string, expirationTime: number, keys: KeyRing): string {
  const list = `TokenID=${randomUUID()},expirationTime=${expirationTime}`
  return `${list},sig=${keys.sign(purpose, `${sessionId},${list}`)}`
}

/** Whether a header's value is a CSRF token of this session that has not expired at `now` (milliseconds since 1970). */
export function isCsrfToken(header: string, sessionId: string, now: number, keys: KeyRing): boolean {
  const [, list, expirationTime, signature] = form.exec(decodeOnce(header) ?? '') ?? []
  if (!list || !signature || Number(expirationTime) <= now) return false
  return keys.verify(purpose, `${sessionId},${list}`, signature)
}

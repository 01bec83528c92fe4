import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isSecure } from '../address.ts'
import type { Config } from '../config.ts'
import type { SessionInterface } from '../database/tables.ts'
import { Unauthorized } from '../fault.ts'
import type { Vendor } from '../vendor.ts'

/**
 * The value of a cookie as it was sent, still URL-encoded; undefined when absent.
 * @throws Unauthorized when the name occurs twice: which one is genuine cannot be known.
 */
export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const header = request.headers.cookie
  if (!header) return undefined
  let found: string | undefined
  for (const part of header.split(';')) {
    const equals = part.indexOf('=')
    if (equals < 0 || part.slice(0, equals).trim() !== name) continue
    if (found !== undefined) throw new Unauthorized(`The cookie ${name} was sent twice.`)
    found = part.slice(equals + 1).trim()
  }
  return found
}

/** Sets the token cookie and the CSRF cookie, which pages may read. */
export function setSignInCookies(
  reply: FastifyReply,
  token: string,
  csrf: string,
  vendor: Vendor,
  config: Config,
): void {
  reply.setCookie(vendor.tokenCookie, token, { ...cookieAttributes(config, 'main'), httpOnly: true })
  reply.setCookie(vendor.csrfCookie, csrf, cookieAttributes(config, 'main'))
}

export function clearSignInCookies(reply: FastifyReply, vendor: Vendor, config: Config): void {
  reply.clearCookie(vendor.tokenCookie, { ...cookieAttributes(config, 'main'), httpOnly: true })
  reply.clearCookie(vendor.csrfCookie, cookieAttributes(config, 'main'))
}

/** The attributes of an interface's cookies. */
export function cookieAttributes(config: Config, on: SessionInterface) {
  const sameSite = config.cookieSameSite.toLowerCase() as 'lax' | 'strict' | 'none'
  // Clients over plain http drop Secure cookies. The fixed names cannot carry the __Host- prefix.
  return { path: '/', sameSite, secure: isSecure(config, on) }
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.ts'
import { type Change, type ChangeListener, listenForChanges } from '../database/changes.ts'
import type { Database } from '../database/tables.ts'
import { Unauthorized } from '../fault.ts'
import type { Vendor } from '../vendor.ts'
import { type Caller, isSiteAdmin, notEntitled, type RequestSession } from './caller.ts'
import { cookieOf } from './cookies.ts'
import { csrfTokenCheck } from './csrf.ts'
import { type KeyRing, verifiedOnce } from './keys.ts'
import { type CurrentSession, rememberSessions } from './remembered.ts'
import { type AccessRule, needsCsrf } from './rules.ts'
import { findSession } from './sessions.ts'
import { readToken, type Token } from './token.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: AccessRule
  }
  interface FastifyRequest {
    /** Who calls, also when they are refused; null when nobody is signed in or the operation does not look. */
    caller: Caller | null
    /** The session and token that the caller came with; null exactly when `caller` is. */
    session: RequestSession | null
  }
  interface FastifyInstance {
    /** Makes this process forget what it remembers of what has changed; call it after the change is committed. */
    forget: (change: Change) => void
    /** Has a listener hear of every change, whichever process made it. */
    onChange: (listener: (change: Change) => void) => void
  }
}

export interface AccessOptions {
  config: Config
  vendor: Vendor
  keys: KeyRing
  db: Database
  /** Where to listen for changes that other processes announce. */
  connection: Parameters<typeof listenForChanges>[0]
}

/** Says who calls and holds each route to its access rule; a route without one does not start. */
export const access = fp(async (app: FastifyInstance, { config, vendor, keys, db, connection }: AccessOptions) => {
  const sessions = rememberSessions((id) => findSession(db, id, config, 'main'))
  // Whether they have expired is looked at each time.
  const readOnce = verifiedOnce((cookie) => readToken(cookie, 'main', keys))
  const isCsrfToken = csrfTokenCheck(keys)
  const listeners = [sessions.forget]
  let listener: ChangeListener | undefined

  function forget(change: Change): void {
    for (const hear of listeners) hear(change)
  }

  app.decorateRequest('caller', null)
  app.decorateRequest('session', null)
  app.decorate('forget', forget)
  app.decorate('onChange', (hear: (change: Change) => void) => {
    listeners.push(hear)
  })

  app.addHook('onRoute', (route) => {
    const rule = route.config?.access
    if (!rule) throw new Error(`${route.method} ${route.url} states no access rule`)
    route.onRequest = [route.onRequest ?? [], holdTo(rule)].flat()
  })
  app.addHook('onReady', async () => {
    listener = listenForChanges(connection, forget)
  })
  app.addHook('onClose', async () => listener?.stop())

  function holdTo(rule: AccessRule) {
    return (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void) => {
      try {
        if (rule.sameSite) refuseCrossSite(request)
        if (rule.signIn === 'anyone') return done()
        const token = tokenOf(request)
        if (!token) {
          if (rule.signIn === 'required') throw notEntitled(null, `the cookie ${vendor.tokenCookie} is missing`)
          return done()
        }
        const session = sessions.get(token.sessionId)
        if (!(session instanceof Promise)) return done(admit(request, rule, token, session))
        session.then((found) => done(admit(request, rule, token, found))).catch(done)
      } catch (error) {
        done(error as Error)
      }
    }
  }

  function tokenOf(request: FastifyRequest): Token | undefined {
    const cookie = cookieOf(request, vendor.tokenCookie)
    if (cookie === undefined) return undefined
    const token = readOnce(cookie)
    if (!token) throw new Unauthorized(`The cookie ${vendor.tokenCookie} is not a token of this service.`)
    return token
  }

  function admit(
    request: FastifyRequest,
    rule: AccessRule,
    token: Token,
    session: CurrentSession | undefined,
  ): Error | undefined {
    const now = session?.clock() ?? 0
    if (!session || session.end <= now) return new Unauthorized('The session has ended: sign in again.')
    if (token.expirationTime <= now) return new Unauthorized('The token has expired: sign in again.')
    // Before the refusals that follow, so that the log names who was refused.
    request.caller = session.caller
    request.session = { clock: session.clock, end: session.end, tokenExpires: token.expirationTime }
    if (needsCsrf(rule, request.method, config)) {
      const header = request.headers[vendor.csrfHeader]
      if (header === undefined) {
        return new Unauthorized(
          `The header ${vendor.csrfHeader} is missing: it has to have the value of the cookie ${vendor.csrfCookie}.`,
        )
      }
      if (!isCsrfToken(String(header), token.sessionId, now)) {
        return new Unauthorized(`The header ${vendor.csrfHeader} is invalid, expired or of another session.`)
      }
    }
    if (rule.siteAdmin && !isSiteAdmin(session.caller)) return notEntitled(session.caller, 'this needs a Site Admin')
    return undefined
  }
})

function refuseCrossSite(request: FastifyRequest): void {
  if (request.headers['sec-fetch-site'] === 'cross-site') {
    throw new Unauthorized('A page of another site may not call this operation.')
  }
}

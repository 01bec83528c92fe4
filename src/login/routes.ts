import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { signedInCaller, signedInSession } from '../access/caller.ts'
import { clearSignInCookies, cookieOf } from '../access/cookies.ts'
import { type AccessRule, anyone, signedIn } from '../access/rules.ts'
import { endSession } from '../access/sessions.ts'
import { readToken } from '../access/token.ts'
import { wireId } from '../ids.ts'
import { json } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { Credentials, LoginStatus } from './schemas.ts'
import { signIn } from './sign-in.ts'
import { issueToken, loginStatus } from './tokens.ts'
import { byPlatformPassword, setsCookies } from './traits.ts'

const endsSession: AccessRule = { ...anyone, sameSite: true }

const tags = ['Signing in']

/** Signing in and out on the main interface. */
export const login: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const { config, vendor, keys, db } = services

  app.post(
    '/api/login',
    {
      // Whoever sends it is not known yet.
      bodyLimit: 16_384,
      config: { access: anyone, media: json, traits: [setsCookies, byPlatformPassword], examples: ['credentials'] },
      schema: {
        operationId: 'signIn',
        tags,
        summary: 'Sign in with a platform password',
        body: Credentials,
        response: { 200: LoginStatus },
      },
    },
    (request, reply) => signIn(services, request, reply),
  )

  app.get(
    '/api/login/status',
    {
      config: { access: signedIn, media: json },
      schema: {
        operationId: 'readStatus',
        tags,
        summary: 'Who is signed in, and until when',
        response: { 200: LoginStatus },
      },
    },
    (request) => currentStatus(request),
  )

  app.post(
    '/api/login/renewToken',
    {
      config: { access: signedIn, media: json, traits: [setsCookies] },
      schema: {
        operationId: 'renewToken',
        tags,
        summary: 'Get a new token of the same session',
        response: { 200: LoginStatus },
      },
    },
    (request, reply) => renew(request, reply),
  )

  for (const [method, url, operationId] of [
    ['POST', '/api/login/logout', 'signOut'],
    ['GET', '/api/login/endsession', 'endSession'],
  ] as const) {
    app.route({
      method,
      url,
      exposeHeadRoute: false,
      config: { access: endsSession, media: 'none', traits: [setsCookies] },
      schema: { operationId, tags, summary: 'End the session and clear its cookies' },
      handler: signOut,
    })
  }

  async function renew(request: FastifyRequest, reply: FastifyReply) {
    const { clock, end } = signedInSession(request)
    return issueToken(reply, services, { ...signedInCaller(request), now: clock(), end })
  }

  async function currentStatus(request: FastifyRequest) {
    const caller = signedInCaller(request)
    return loginStatus({
      userFDN: wireId(vendor, caller.userId),
      userName: caller.userName,
      loginDomainId: wireId(vendor, caller.domainId),
      expirationTime: signedInSession(request).tokenExpires,
    })
  }

  async function signOut(request: FastifyRequest, reply: FastifyReply) {
    const token = readToken(cookieOf(request, vendor.tokenCookie) ?? '', 'main', keys)
    if (token) {
      await endSession(db, token.sessionId)
      app.forget({ kind: 'session', id: token.sessionId })
    }
    clearSignInCookies(reply, vendor, config)
    return reply.send()
  }
}

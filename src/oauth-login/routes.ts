import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { type AccessRule, anyone, whoProves } from '../access/rules.ts'
import { endSession } from '../access/sessions.ts'
import { refuseForeignPage } from '../login/foreign-pages.ts'
import { byPlatformPassword, forBrowsers } from '../login/traits.ts'
import { json } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import type { Trait } from '../traits.ts'
import { allowedTarget, answerSignedIn, orLoginPage, showLoginPage } from './answers.ts'
import { logIn } from './log-in.ts'
import { LoginForm, LoginPageQuery, OAuthLogin } from './schemas.ts'
import { clearOAuthToken, issueOAuthToken, oauthPerson, oauthSessionId } from './tokens.ts'
import { setsCookie } from './traits.ts'

const path = '/oauth/login'
const holder: AccessRule = { ...anyone, sameSite: true, permission: 'The cookie of the OAuth login service.' }
const leaver: AccessRule = { ...anyone, sameSite: true }
const onward: Trait = { redirects: 'Signed in, to finalUrl; a browser without one to a page that says so.' }
const tags = ['OAuth login']

/** Signing in and out in the context of OAuth, with a cookie and a life of its own. */
export const oauthLogin: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const response = { 200: OAuthLogin }

  app.post(
    path,
    {
      config: {
        access: whoProves,
        media: json,
        takes: 'form',
        traits: [setsCookie, byPlatformPassword, onward, forBrowsers],
        examples: ['oauth-credentials'],
      },
      schema: {
        operationId: 'signInToOAuth',
        tags,
        summary: 'Sign in to OAuth with a platform password',
        body: LoginForm,
        response,
      },
    },
    async (request, reply) =>
      orLoginPage(services, request, reply, request.body.finalUrl, () => enter(request, reply, request.body)),
  )

  for (const [url, operationId] of [
    [path, 'showLogin'],
    [`${path}/`, 'showLoginPage'],
  ] as const) {
    app.get(
      url,
      {
        config: { access: anyone, media: 'none', gives: ['text/html'] },
        schema: {
          operationId,
          tags,
          summary: 'A page on which people sign in to OAuth, or see who is signed in',
          querystring: LoginPageQuery,
        },
      },
      (request, reply) => showLoginPage(services, request, reply, request.query.finalUrl),
    )
  }

  app.route({
    method: 'GET',
    url: `${path}/logout`,
    exposeHeadRoute: false,
    config: { access: leaver, media: 'none', traits: [setsCookie] },
    schema: { operationId: 'signOutOfOAuth', tags, summary: 'End the OAuth session and clear its cookie' },
    handler: leave,
  })

  for (const [method, operationId] of [
    ['GET', 'renewOAuthToken'],
    ['POST', 'renewOAuthTokenByPost'],
  ] as const) {
    app.route({
      method,
      url: `${path}/renewToken`,
      exposeHeadRoute: false,
      config: { access: holder, media: json, traits: [setsCookie] },
      schema: { operationId, tags, summary: 'Get a new token of the same OAuth session', response },
      handler: async (request, reply) => issueOAuthToken(reply, services, await oauthPerson(services, request)),
    })
  }

  async function enter(request: FastifyRequest, reply: FastifyReply, form: Static<typeof LoginForm>) {
    refuseForeignPage(request, services.config, 'oauth')
    const finalUrl = allowedTarget(services, request, form.finalUrl)
    const person = await logIn(services, request, form)
    return answerSignedIn(services, request, reply, { person, finalUrl })
  }

  async function leave(request: FastifyRequest, reply: FastifyReply) {
    const session = oauthSessionId(services, request)
    if (session) await endSession(services.db, session)
    clearOAuthToken(reply, services)
    return reply.send()
  }
}

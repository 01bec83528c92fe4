import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { type AccessRule, anyone } from '../access/rules.ts'
import { endSession } from '../access/sessions.ts'
import { Malformed } from '../fault.ts'
import { redirect } from '../login/page.ts'
import { refuseForeignOrigin } from '../login/sign-in.ts'
import { type Entrance, ssoLogin } from '../login/sso.ts'
import { json } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { allowedTarget, baseOf, orLoginPage, showLoginPage, welcome } from './answers.ts'
import { logIn } from './log-in.ts'
import { LoginForm, OAuthLogin, SsoForm } from './schemas.ts'
import { clearOAuthToken, issueOAuthToken, oauthPerson, oauthSessionId } from './tokens.ts'

const path = '/oauth/login'
const whoProves: AccessRule = { ...anyone, permission: 'None; signs in whoever proves who they are.' }
const holder: AccessRule = { ...anyone, sameSite: true, permission: 'The cookie of the OAuth login service.' }
const leaver: AccessRule = { ...anyone, sameSite: true }

/** Signing in and out in the context of OAuth, with a cookie and a life of its own. */
export const oauthLogin: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const response = { 200: OAuthLogin }

  app.post(
    path,
    {
      config: { access: whoProves, media: json, takes: 'form' },
      schema: { summary: 'Sign in to OAuth with a platform password', body: LoginForm, response },
    },
    (request, reply) =>
      orLoginPage(services, request, reply, request.body.finalUrl, () => enter(request, reply, request.body)),
  )

  for (const url of [path, `${path}/`]) {
    app.get(
      url,
      {
        config: { access: anyone, media: 'none' },
        schema: {
          summary: 'A page on which people sign in to OAuth',
          querystring: Type.Object({ finalUrl: Type.Optional(Type.String()) }),
        },
      },
      (request, reply) => showLoginPage(services, request, reply, request.query.finalUrl),
    )
  }

  app.route({
    method: 'GET',
    url: `${path}/logout`,
    exposeHeadRoute: false,
    config: { access: leaver, media: 'none' },
    schema: { summary: 'End the OAuth session and clear its cookie' },
    handler: leave,
  })

  for (const method of ['GET', 'POST'] as const) {
    app.route({
      method,
      url: `${path}/renewToken`,
      exposeHeadRoute: false,
      config: { access: holder, media: json },
      schema: { summary: 'Get a new token of the same OAuth session', response },
      handler: async (request, reply) => issueOAuthToken(reply, services, await oauthPerson(services, request)),
    })
  }

  const sso = { summary: 'Sign in to OAuth through a login domain', response }
  const config = { access: whoProves, media: json }

  app.get(
    `${path}/ssoLogin`,
    { exposeHeadRoute: false, config, schema: { ...sso, querystring: SsoForm } },
    (request, reply) =>
      orLoginPage(services, request, reply, request.query.finalUrl, () => enterBySso(request, reply, request.query)),
  )
  app.get(
    `${path}/ssoLogin/:Domain`,
    {
      exposeHeadRoute: false,
      config,
      schema: { ...sso, params: Type.Object({ Domain: Type.String() }), querystring: SsoForm },
    },
    (request, reply) =>
      orLoginPage(services, request, reply, undefined, () =>
        enterBySso(request, reply, { ...request.query, Domain: request.params.Domain }),
      ),
  )
  app.post(
    `${path}/ssoLogin`,
    { config: { ...config, takes: 'form' }, schema: { ...sso, body: SsoForm } },
    (request, reply) =>
      orLoginPage(services, request, reply, request.body.finalUrl, () => enterBySso(request, reply, request.body)),
  )

  async function enter(request: FastifyRequest, reply: FastifyReply, form: Static<typeof LoginForm>) {
    refuseForeignOrigin(request, baseOf(services, request))
    const finalUrl = allowedTarget(services, request, form.finalUrl)
    const person = await logIn(services, request, form)
    return welcome(services, request, reply, { person, finalUrl, visited: false })
  }

  async function enterBySso(request: FastifyRequest, reply: FastifyReply, form: Static<typeof SsoForm>) {
    if (request.method === 'POST') refuseForeignOrigin(request, baseOf(services, request))
    const { Domain: domain, identity_username: userName, secret_password: password, finalUrl, state } = form
    if (domain === undefined) throw new Malformed('Domain is missing: it names the login domain.')
    const given = { domain, userName, password, finalUrl, state }
    const result = await ssoLogin(services, request, reply, entrance(request), given)
    return result.kind === 'redirect' ? redirect(reply, result.url) : welcome(services, request, reply, result)
  }

  function entrance(request: FastifyRequest): Entrance {
    const returnPath: Entrance['returnPath'] = ({ id }) => `${path}/ssoLogin/${encodeURIComponent(id)}`
    return { on: 'oauth', base: baseOf(services, request), returnPath }
  }

  async function leave(request: FastifyRequest, reply: FastifyReply) {
    const session = oauthSessionId(services, request)
    if (session) await endSession(services.db, session)
    clearOAuthToken(reply, services)
    return reply.send()
  }
}

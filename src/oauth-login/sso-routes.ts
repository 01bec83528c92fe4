import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { whoProves } from '../access/rules.ts'
import { Malformed } from '../fault.ts'
import { redirect } from '../login/page.ts'
import { DomainInPath } from '../login/schemas.ts'
import { type Entrance, ssoLogin } from '../login/sso.ts'
import { forBrowsers, throughDomain } from '../login/traits.ts'
import type { Services } from '../services.ts'
import { orLoginPage, sendOn } from './answers.ts'
import { SsoForm } from './schemas.ts'
import { setsCookie } from './traits.ts'

const path = '/oauth/login/ssoLogin'
const entrance: Entrance = { on: 'oauth', path }

/** Signing in to OAuth through a directory or an OpenID Connect provider. */
export const oauthSso: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const config = { access: whoProves, media: 'none' as const, traits: [setsCookie, throughDomain, forBrowsers] }
  const tags = ['OAuth login']

  app.get(
    path,
    {
      exposeHeadRoute: false,
      config,
      schema: {
        tags,
        operationId: 'visitLoginDomainForOAuth',
        summary: 'Sign in to OAuth through a login domain, on a visit to its provider',
        querystring: SsoForm,
      },
    },
    async (request, reply) =>
      orLoginPage(services, request, reply, request.query.finalUrl, () => enter(request, reply, request.query)),
  )

  app.get(
    `${path}/:Domain`,
    {
      exposeHeadRoute: false,
      config,
      schema: {
        tags,
        operationId: 'visitNamedLoginDomainForOAuth',
        summary: 'Sign in to OAuth through the login domain in the path; its provider sends the browser back here',
        params: Type.Object({ Domain: DomainInPath }),
        querystring: SsoForm,
      },
    },
    async (request, reply) =>
      orLoginPage(services, request, reply, request.query.finalUrl, () =>
        enter(request, reply, { ...request.query, Domain: request.params.Domain }),
      ),
  )

  app.post(
    path,
    {
      config: { ...config, takes: 'form', examples: ['oauth-sso'] },
      schema: {
        tags,
        operationId: 'signInToOAuthThroughLoginDomain',
        summary: 'Sign in to OAuth through a login domain',
        querystring: SsoForm,
        body: SsoForm,
      },
    },
    async (request, reply) => {
      const form = { ...request.query, ...request.body }
      return orLoginPage(services, request, reply, form.finalUrl, () => enter(request, reply, form))
    },
  )

  async function enter(request: FastifyRequest, reply: FastifyReply, form: Static<typeof SsoForm>) {
    const { Domain: domain, identity_username: userName, secret_password: password, finalUrl, state } = form
    if (domain === undefined) throw new Malformed('Domain is missing: it names the login domain.')
    const given = { domain, userName, password, finalUrl, state }
    const result = await ssoLogin(services, request, reply, entrance, given)
    return result.kind === 'redirect' ? redirect(reply, result.url) : sendOn(services, reply, result)
  }
}

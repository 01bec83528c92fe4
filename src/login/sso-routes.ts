import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { type AccessRule, anyone, signedIn, whoProves } from '../access/rules.ts'
import { Malformed } from '../fault.ts'
import { json } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import type { Trait } from '../traits.ts'
import { redirect, sendPage, signedInPage } from './page.ts'
import { DomainInPath, LoginStatus, SsoForm, SsoInstructions, SsoQuestion } from './schemas.ts'
import { domainPath, type Entrance, ssoLogin, usableDomain } from './sso.ts'
import { issueToken } from './tokens.ts'
import { setsCookies, throughDomain } from './traits.ts'
import { wayOf } from './ways/ways.ts'

// A browser that goes to a page sends no header of its own; the page changes nothing.
const viewer: AccessRule = { ...signedIn, csrfExempt: true }
const path = '/api/login/ssoLogin'
const entrance: Entrance = { on: 'main', path }
const signedInPath = '/api/login/signedIn'
const tags = ['Signing in']
const names: Trait = {
  statuses: { 401: 'The login domain is disabled, or the built-in one.', 404: 'There is no such login domain.' },
}

/** Signing in to the main interface through a directory or an OpenID Connect provider. */
export const sso: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const route = { access: whoProves, media: json, traits: [setsCookies, throughDomain] }
  const response = { 200: LoginStatus }

  app.get(
    path,
    {
      exposeHeadRoute: false,
      config: route,
      schema: {
        operationId: 'visitLoginDomain',
        tags,
        summary: 'Sign in through a login domain, on a visit to its provider',
        querystring: SsoForm,
        response,
      },
    },
    (request, reply) => enter(request, reply, request.query),
  )

  app.get(
    `${path}/:Domain`,
    {
      exposeHeadRoute: false,
      config: route,
      schema: {
        operationId: 'visitNamedLoginDomain',
        tags,
        summary: 'Sign in through the login domain in the path; its provider sends the browser back here',
        params: Type.Object({ Domain: DomainInPath }),
        querystring: SsoForm,
        response,
      },
    },
    (request, reply) => enter(request, reply, { ...request.query, domain: request.params.Domain }),
  )

  app.post(
    path,
    {
      config: { ...route, takes: 'form', examples: ['sso'] },
      schema: {
        operationId: 'signInThroughLoginDomain',
        tags,
        summary: 'Sign in through a login domain',
        querystring: SsoForm,
        body: SsoForm,
        response,
      },
    },
    (request, reply) => enter(request, reply, { ...request.query, ...request.body }),
  )

  app.post(
    `${path}/:Domain`,
    {
      config: { ...route, takes: 'form', examples: ['sso-of-domain'] },
      schema: {
        operationId: 'signInThroughNamedLoginDomain',
        tags,
        summary: 'Sign in through the login domain in the path',
        params: Type.Object({ Domain: DomainInPath }),
        querystring: SsoForm,
        body: SsoForm,
        response,
      },
    },
    (request, reply) => enter(request, reply, { ...request.query, ...request.body, domain: request.params.Domain }),
  )

  app.get(
    '/api/login/ssoLoginInstructions',
    {
      config: { access: anyone, media: json, traits: [names] },
      schema: {
        operationId: 'readSsoInstructions',
        tags,
        summary: 'What a login domain needs to sign somebody in',
        querystring: SsoQuestion,
        response: { 200: SsoInstructions },
      },
    },
    ({ query }) => instructions(query.domain, query.finalUrl),
  )

  app.get(
    signedInPath,
    {
      config: { access: viewer, media: 'none', gives: ['text/html'] },
      schema: { operationId: 'showSignedIn', tags, summary: 'A page that says who is signed in' },
    },
    (request, reply) =>
      sendPage(reply, signedInPage(signedInCaller(request).userName, '<p>You may close this page.</p>')),
  )

  async function enter(request: FastifyRequest, reply: FastifyReply, form: Static<typeof SsoForm>) {
    const { domain, identity_username: userName, secret_password: password, finalUrl, state } = form
    if (domain === undefined) throw new Malformed('domain is missing: it names the login domain.')
    const result = await ssoLogin(services, request, reply, entrance, { domain, userName, password, finalUrl, state })
    if (result.kind === 'redirect') return redirect(reply, result.url)
    const status = issueToken(reply, services, result.person)
    // The address that a provider sent the browser to holds a code.
    const next = result.finalUrl ?? (result.visited ? signedInPath : undefined)
    return next === undefined ? status : redirect(reply, next)
  }

  async function instructions(named: string, finalUrl: string | undefined) {
    const domain = await usableDomain(services, named, 'main')
    const target = domainPath(entrance, domain)
    return wayOf(domain).needs === 'redirect'
      ? {
          instructionType: 'NeedRedirect',
          redirectUrl: finalUrl === undefined ? target : `${target}?${new URLSearchParams({ finalUrl })}`,
        }
      : { instructionType: 'NeedCredentials', attributeName: ['identity_username', 'secret_password'] }
  }
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { type AccessRule, anyone } from '../access/rules.ts'
import { Malformed } from '../fault.ts'
import type { SignInDomain } from '../login-domains/sign-in.ts'
import { json } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { redirect, sendPage, signedInPage } from './page.ts'
import { LoginStatus, SsoForm, SsoInstructions } from './schemas.ts'
import { refuseForeignOrigin } from './sign-in.ts'
import { type Entrance, ssoLogin, usableDomain } from './sso.ts'
import { issueToken } from './tokens.ts'
import { wayOf } from './ways/ways.ts'

const ssoAccess: AccessRule = { ...anyone, permission: 'None; signs in whoever proves who they are.' }
const path = '/api/login/ssoLogin'
const domainInPath = Type.Object({ Domain: Type.String() })

/** Signing in to the main interface through a directory or an OpenID Connect provider. */
export const sso: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const { config } = services
  const schema = { summary: 'Sign in through a login domain', response: { 200: LoginStatus } }
  const route = { access: ssoAccess, media: json }

  app.get(
    path,
    { exposeHeadRoute: false, config: route, schema: { ...schema, querystring: SsoForm } },
    (request, reply) => enter(request, reply, request.query),
  )
  app.get(
    `${path}/:Domain`,
    { exposeHeadRoute: false, config: route, schema: { ...schema, params: domainInPath, querystring: SsoForm } },
    (request, reply) => enter(request, reply, { ...request.query, domain: request.params.Domain }),
  )
  app.post(path, { config: { ...route, takes: 'form' }, schema: { ...schema, body: SsoForm } }, (request, reply) =>
    enter(request, reply, request.body),
  )
  app.post(
    `${path}/:Domain`,
    { config: { ...route, takes: 'form' }, schema: { ...schema, params: domainInPath, body: SsoForm } },
    (request, reply) => enter(request, reply, { ...request.body, domain: request.params.Domain }),
  )

  app.get(
    '/api/login/ssoLoginInstructions',
    {
      config: { access: anyone, media: json },
      schema: {
        summary: 'What a login domain needs to sign somebody in',
        querystring: Type.Object({ domain: Type.String(), finalUrl: Type.Optional(Type.String()) }),
        response: { 200: SsoInstructions },
      },
    },
    ({ query }) => instructions(query.domain, query.finalUrl),
  )

  async function enter(request: FastifyRequest, reply: FastifyReply, form: Static<typeof SsoForm>) {
    if (request.method === 'POST') refuseForeignOrigin(request, config.publicUrl)
    const { domain, identity_username: userName, secret_password: password, finalUrl, state } = form
    if (domain === undefined) throw new Malformed('domain is missing: it names the login domain.')
    const entrance = mainEntrance(services, request)
    const result = await ssoLogin(services, request, reply, entrance, { domain, userName, password, finalUrl, state })
    if (result.kind === 'redirect') return redirect(reply, result.url)
    const status = issueToken(reply, services, result.person)
    if (result.finalUrl) return redirect(reply, result.finalUrl)
    return result.visited ? sendPage(reply, signedInPage(result.person.userName)) : status
  }

  async function instructions(named: string, finalUrl: string | undefined) {
    const domain = await usableDomain(services, named, 'main')
    const target = `${path}/${encodeURIComponent(domain.id)}`
    return wayOf(domain).needs === 'redirect'
      ? {
          instructionType: 'NeedRedirect',
          redirectUrl: finalUrl === undefined ? target : `${target}?${new URLSearchParams({ finalUrl })}`,
        }
      : { instructionType: 'NeedCredentials', attributeName: ['identity_username', 'secret_password'] }
  }
}

/** The main interface, at its public address or the one that the request was sent to. */
function mainEntrance({ config }: Services, request: FastifyRequest): Entrance {
  return {
    on: 'main',
    base: config.publicUrl ?? `${request.protocol}://${request.host}`,
    returnPath: ({ id }: SignInDomain) => `${path}/${encodeURIComponent(id)}`,
  }
}

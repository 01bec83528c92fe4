import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { access } from './access/plugin.ts'
import { answerHeaders } from './answer-headers.ts'
import { versionActions } from './api-versions/action-routes.ts'
import { versionHistory } from './api-versions/history-routes.ts'
import { apiVersionLists } from './api-versions/list-routes.ts'
import { versionRatings } from './api-versions/rating-routes.ts'
import { apiVersions } from './api-versions/routes.ts'
import { avatars } from './apis/avatar-routes.ts'
import { followers } from './apis/follow-routes.ts'
import { apiList } from './apis/list-routes.ts'
import { removals } from './apis/remove-routes.ts'
import { apis } from './apis/routes.ts'
import { deprecatedOperations } from './deprecated-operations.ts'
import { deprecatedReads } from './deprecated-reads/plugin.ts'
import { consumers } from './deprecations/consumer-routes.ts'
import { deprecationList } from './deprecations/list-routes.ts'
import { deprecations } from './deprecations/routes.ts'
import { descriptions } from './descriptions/routes.ts'
import { draining } from './draining.ts'
import { dropbox } from './dropbox/routes.ts'
import { groups } from './groups/routes.ts'
import { health } from './health/routes.ts'
import { loggerOptions, requestLog } from './log.ts'
import { ownPassword } from './login/password-routes.ts'
import { login } from './login/routes.ts'
import { sessions } from './login/session-routes.ts'
import { sso } from './login/sso-routes.ts'
import { domainTest } from './login/test-domain-routes.ts'
import { loginDomainLogos } from './login-domains/logo-routes.ts'
import { managedLoginDomains } from './login-domains/managed-routes.ts'
import { loginDomains } from './login-domains/routes.ts'
import { oauthListener } from './oauth-login/listener.ts'
import { oauthLogin } from './oauth-login/routes.ts'
import { oauthSso } from './oauth-login/sso-routes.ts'
import { ownDescription } from './own-description/routes.ts'
import { policies } from './policies/routes.ts'
import { properties } from './properties/routes.ts'
import { schemaController } from './representation/compilers.ts'
import { faults } from './representation/faults.ts'
import { otherMethods } from './representation/other-methods.ts'
import { representation } from './representation/plugin.ts'
import { requestHead } from './request-head.ts'
import { requestLogger } from './request-logger.ts'
import { search } from './search/routes.ts'
import { limits } from './server-limits.ts'
import type { Services } from './services.ts'
import { closeSilentConnections } from './silent-connections.ts'
import { userList } from './users/list-routes.ts'
import { users } from './users/routes.ts'
import { workflows } from './workflow/routes.ts'

const silentMs = 30_000
const mostConnections = 5000

/** The table of contents: what every request passes, then the domains. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config } = services
  const app = Fastify({
    ...limits(config),
    schemaController,
    logger: loggerOptions(config),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    childLoggerFactory: requestLogger,
    trustProxy: config.trustedProxies.length > 0 && config.trustedProxies,
  })
  closeSilentConnections(app.server, silentMs)
  app.server.maxConnections = mostConnections

  await app.register(answerHeaders, services)
  await app.register(draining)
  await app.register(requestLog, services)
  await app.register(oauthListener, services)
  await app.register(cookie, { hook: false })
  await app.register(requestHead)
  await app.register(otherMethods)
  await app.register(faults, services)
  await app.register(representation, services)
  await app.register(access, services)
  await app.register(deprecatedOperations, services)
  await app.register(deprecatedReads, services)

  await app.register(ownDescription, services)
  await app.register(health, services)
  await app.register(login, services)
  await app.register(sso, services)
  await app.register(sessions, services)
  await app.register(ownPassword, services)
  await app.register(loginDomains, services)
  await app.register(oauthLogin, services)
  await app.register(oauthSso, services)
  await app.register(managedLoginDomains, services)
  await app.register(loginDomainLogos, services)
  await app.register(domainTest, services)
  await app.register(users, services)
  await app.register(userList, services)
  await app.register(groups, services)
  await app.register(apis, services)
  await app.register(removals, services)
  await app.register(apiList, services)
  await app.register(followers, services)
  await app.register(avatars, services)
  await app.register(apiVersions, services)
  await app.register(apiVersionLists, services)
  await app.register(versionRatings, services)
  await app.register(versionHistory, services)
  await app.register(deprecations, services)
  await app.register(deprecationList, services)
  await app.register(consumers, services)
  await app.register(versionActions, services)
  await app.register(workflows, services)
  await app.register(search, services)
  await app.register(policies, services)
  await app.register(properties, services)
  await app.register(descriptions, services)
  await app.register(dropbox, services)

  app.refuseOtherMethods()
  return app
}

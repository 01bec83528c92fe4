import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from './config.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on a deprecated operation: where its replacement is, for the ids of the request. */
    successor?: (params: Record<string, string>) => string
  }
}

// The day on which this service first answered them; they were deprecated from the start.
const deprecatedSince = Date.UTC(2026, 10, 21) / 1000

/** Makes deprecated operations say so: Deprecation (RFC 9745), their successor (RFC 8288) and Sunset (RFC 8594) if set. */
export const deprecation = fp(async (app: FastifyInstance, { config }: { config: Config }) => {
  app.addHook('onRoute', (route) => {
    const successor = route.config?.successor
    if (!successor) return
    const saySo: onRequestHookHandler = (request, reply, done) => {
      reply.header('deprecation', `@${deprecatedSince}`)
      reply.header('link', `<${successor(request.params as Record<string, string>)}>; rel="successor-version"`)
      if (config.sunsetDate) reply.header('sunset', config.sunsetDate.toUTCString())
      done()
    }
    route.onRequest = [saySo, route.onRequest ?? []].flat()
  })
})

import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from './config.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on a deprecated operation: what replaces it, and where that is, or is described, for the ids of the request. */
    deprecated?: { by: string; successor: (params: Record<string, string>) => string }
  }
}

// The day on which this service first answered them; they were deprecated from the start.
const deprecatedSince = Date.UTC(2026, 10, 21) / 1000

/** Makes deprecated operations say so: Deprecation (RFC 9745), their successor (RFC 8288) and Sunset (RFC 8594) if set. */
export const deprecatedOperations = fp(async (app: FastifyInstance, { config }: { config: Config }) => {
  app.addHook('onRoute', (route) => {
    const deprecated = route.config?.deprecated
    if (!deprecated) return
    const saySo: onRequestHookHandler = (request, reply, done) => {
      reply.header('deprecation', `@${deprecatedSince}`)
      reply.header('link', successorLink(deprecated.successor(request.params as Record<string, string>)))
      if (config.sunsetDate) reply.header('sunset', config.sunsetDate.toUTCString())
      done()
    }
    route.onRequest = [saySo, route.onRequest ?? []].flat()
  })
})

/** The Link header that leads from a deprecated operation to its replacement. */
export function successorLink(path: string): string {
  return `<${path}>; rel="successor-version"`
}

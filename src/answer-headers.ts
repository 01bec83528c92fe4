import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from './config.ts'

/** Headers that every answer carries, faults included: nothing is cached, framed, sniffed or run as a page. */
export function commonHeaders(config: Config): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    ...(config.publicUrl?.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

export const answerHeaders = fp(async (app: FastifyInstance, { config }: { config: Config }) => {
  const headers = Object.entries(commonHeaders(config))
  app.addHook('onRequest', (_request, reply, done) => {
    for (const [name, value] of headers) reply.header(name, value)
    done()
  })
})

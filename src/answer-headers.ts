import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from './config.ts'

/** Headers that every answer carries, faults included: nothing is cached, framed, sniffed or run as a page. */
export const answerHeaders = fp(async (app: FastifyInstance, { config }: { config: Config }) => {
  const headers: [string, string][] = [
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
    ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
    ['referrer-policy', 'no-referrer'],
  ]
  if (config.publicUrl?.startsWith('https:')) headers.push(['strict-transport-security', 'max-age=31536000'])

  app.addHook('onRequest', (_request, reply, done) => {
    for (const [name, value] of headers) reply.header(name, value)
    done()
  })
})

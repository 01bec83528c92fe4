import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

const lookedAtEveryMs = 100

/**
 * While the service stops, closes connections as soon as what was in flight on them is answered: Node closes only those
 * that are idle at that moment, and a client that keeps its connection would hold the process until it is killed.
 */
export const draining = fp(async (app: FastifyInstance) => {
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', (done) => {
    timer = setInterval(() => app.server.closeIdleConnections(), lookedAtEveryMs).unref()
    done()
  })
  app.addHook('onClose', async () => clearInterval(timer))
})

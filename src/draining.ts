import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

const lookedAtEveryMs = 100

/**
 * While the service stops, closes connections as soon as what was in flight on them is answered: Node closes only those
 * that are idle at that moment, and a client that keeps its connection would hold the process until it is killed.
 */
export const draining = fp(async (app: FastifyInstance) => {
  const open = new Set<Socket>()
  let timer: NodeJS.Timeout | undefined

  function closeIdle(): void {
    app.server.closeIdleConnections()
    // To Node a request is under way on a new connection, also while nothing of one has come.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }

  app.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', (done) => {
    timer = setInterval(closeIdle, lookedAtEveryMs).unref()
    done()
  })
  // After the hooks of what is registered later: the last connections may be those of another port.
  app.addHook('onClose', async () => clearInterval(timer))
})

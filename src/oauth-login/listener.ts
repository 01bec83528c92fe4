import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.ts'
import { NotFound } from '../fault.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Listens on the OAuth login service's own port, if it has one, and gives its number. */
    listenForOAuth: () => Promise<number | undefined>
  }
}

/** A port of its own for the OAuth login service, if one is configured: nothing else answers there. */
export const oauthListener = fp(async (app: FastifyInstance, { config }: { config: Config }) => {
  const { oauthPort, host } = config
  let port: number | undefined
  // The one HTTP server serves what arrives here too, within the same limits.
  const server = createServer({ keepAlive: true, noDelay: true }, (socket) => app.server.emit('connection', socket))
  // A server counts only what it accepts itself.
  server.maxConnections = app.server.maxConnections

  app.decorate('listenForOAuth', async () => {
    if (oauthPort === undefined) return undefined
    await once(server.listen(oauthPort, host), 'listening')
    port = (server.address() as AddressInfo).port
    return port
  })
  if (oauthPort === undefined) return

  let closed: Promise<unknown> | undefined
  app.addHook('preClose', (done) => {
    closed = new Promise((resolve) => server.close(resolve))
    done()
  })
  // The one HTTP server waits for its own connections only.
  app.addHook('onClose', async () => {
    await closed
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const isOther = request.socket.localPort === port && !/^\/oauth\//.test(request.url)
    done(isOther ? new NotFound('Only the OAuth login service answers here.') : undefined)
  })
})

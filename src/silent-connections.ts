import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Closes connections on which nothing moves for so many milliseconds: those that ask nothing, and those that do not read
 * their answer, which would be kept for them. A request that is worked on may take longer; between two requests the
 * server's `keepAliveTimeout` counts.
 */
export function closeSilentConnections(server: Server, silentMs: number): void {
  const answers = new WeakMap<Socket, ServerResponse>()
  server.on('request', ({ socket }, answer) => answers.set(socket, answer))
  server.setTimeout(silentMs, (socket: Socket) => {
    const answer = answers.get(socket)
    const isAtWork = answer && !answer.headersSent && !answer.destroyed
    if (isAtWork) socket.setTimeout(silentMs)
    else socket.destroy()
  })
}

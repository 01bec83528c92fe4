import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { localhost } from './certificates.ts'

/** The answer to a StartTLS request, which is the first message of a connection: success, or another result code. */
export function startTlsAnswer(request: Buffer, code = 0): Buffer {
  return Buffer.from([
    0x30,
    0x0c,
    0x02,
    0x01,
    request[4] as number,
    0x78,
    0x07,
    0x0a,
    0x01,
    code,
    0x04,
    0x00,
    0x04,
    0x00,
  ])
}

/** Puts StartTLS before a port that has none. */
export async function startTlsBefore(port: () => number): Promise<{ port: number; end: () => Promise<void> }> {
  const server = createServer(async (socket) => {
    socket.on('error', () => {})
    const [request] = (await once(socket, 'data')) as [Buffer]
    socket.pause()
    socket.write(startTlsAnswer(request))
    const secureContext = createSecureContext(localhost)
    join(new TLSSocket(socket, { isServer: true, secureContext }), connect(port(), '127.0.0.1'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    end: async () => {
      server.close()
    },
  }
}

/** Carries what comes on either to the other. */
export function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
    from.pipe(to)
  }
}

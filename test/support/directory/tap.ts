import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'
import { join } from './start-tls.ts'

type AtEnd = (end: () => void) => void

const operations: Record<number, string> = { 96: 'bind', 99: 'search', 66: 'unbind', 119: 'extended' }

/** Stands before a port and notes what it is asked: one list of operations for each connection. */
export async function tap(port: number, atEnd = afterAll as AtEnd) {
  const connections: string[][] = []
  const listening = await listen((socket) => {
    const asked: string[] = []
    connections.push(asked)
    // The client waits for each answer, so a chunk is a message.
    socket.on('data', (chunk: Buffer) => asked.push(operationOf(chunk)))
    join(socket, connect(port, '127.0.0.1'))
  }, atEnd)
  return { ...listening, connections, asked: () => connections.flat() }
}

function operationOf(message: Buffer): string {
  const head = (message[1] as number) < 0x80 ? 2 : 2 + ((message[1] as number) & 0x7f)
  const operation = message[head + 2 + (message[head + 1] as number)] as number
  return operations[operation] ?? String(operation)
}

/** A server of the test's own, which does with each connection what it is told. */
export async function listen(behave: (socket: Socket) => void, atEnd: AtEnd): Promise<{ port: number }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    behave(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port: (server.address() as { port: number }).port }
}

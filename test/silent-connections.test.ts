import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { closeSilentConnections } from '../src/silent-connections.ts'

const silentMs = 100

/** A connection to a server that closes silent ones. */
async function connected(answer: RequestListener, ms = silentMs, keepAliveTimeout = ms) {
  const server = createServer({ keepAliveTimeout }, answer)
  closeSilentConnections(server, ms)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const closed = once(server, 'connection').then(([there]) => once(there, 'close'))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  await once(socket, 'connect')
  return { socket, closed }
}

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

test('a connection that asks nothing is closed', async () => {
  const { closed } = await connected(() => {})
  await closed
})

test('a request that is worked on is not given up', async () => {
  const { socket } = await connected(async (_request, response) => {
    await sleep(5 * silentMs)
    response.end('done')
  })
  socket.write(get)
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toContain('done')
})

test('one that has its answer is kept for the next request, as long as the server says', async () => {
  const { socket, closed } = await connected((_request, response) => response.end('done'), silentMs, 10 * silentMs)
  let answers = 0
  socket.on('data', () => answers++)
  socket.write(get)
  await sleep(5 * silentMs)
  socket.write(get)
  await closed
  expect(answers).toBe(2)
})

const large = Buffer.alloc(50_000_000)

test('a connection that does not read its answer is closed', async () => {
  const { socket, closed } = await connected((_request, response) => response.end(large))
  socket.pause()
  socket.write(get)
  await closed
})

test('a connection that reads its answer slowly is not', async () => {
  const ms = 1500
  const { socket } = await connected((_request, response) => response.end(large), ms)
  socket.write(get)
  const started = Date.now()
  let bytes = 0
  for await (const some of socket) {
    bytes += some.length
    if (bytes > large.length) break
    // Slowly until it has taken longer than a silence may last.
    if (Date.now() - started < 1.5 * ms) await sleep(20)
  }
  expect(bytes).toBeGreaterThan(large.length)
})

import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { expectFault, expectPlain, titles } from '../support/fault.ts'
import { startService } from '../support/service.ts'

const service = await startService({ REQUEST_TIMEOUT_SECONDS: '2', PUBLIC_URL: 'https://apis.example.com' })

/** What the service writes to a client that never closes its side, until the service does; and how long that takes. */
function exchange(...pieces: string[]): Promise<{ text: string; ms: number }> {
  const started = Date.now()
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', allowHalfOpen: true })
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('end', () => {
      socket.destroy()
      resolve({ text, ms: Date.now() - started })
    })
    for (const piece of pieces) socket.write(piece)
  })
}

function expectBroken(text: string, status: number, code = 'Malformed'): void {
  const [head = '', body = '', ...more] = text.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} ${titles[status]}\r\n`))
  expect(head).toContain('\r\nconnection: close')
  expect(more).toEqual([])
  expectFault(JSON.parse(body), status, code)
  const lines = head
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(': '))
  expectPlain({ status, headers: Object.fromEntries(lines), text, bytes: Buffer.from(text), json: undefined })
}

const post = 'POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
const empty = '0\r\n\r\n'

test.each<[string, string, number]>([
  ['no HTTP', 'HELLO\r\n\r\n', 400],
  ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['both lengths', `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n${empty}`, 400],
  ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
  ['a chunk without size', `${post}Transfer-Encoding: chunked\r\n\r\nxyz\r\n${empty}`, 400],
  ['a line feed alone', 'GET /livez HTTP/1.1\nHost: a\n\n', 400],
  ['a blank in a header name', 'GET /livez HTTP/1.1\r\nHost : a\r\n\r\n', 400],
  ['headers too large', `GET /livez HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('malformed HTTP is answered and closed: %s', async (_which, request, status) => {
  expectBroken((await exchange(request)).text, status)
})

test.each([
  ['none', ''],
  ['two', 'Host: a\r\nhost: b\r\n'],
  ['the same twice', 'Host: a\r\nHost: a\r\n'],
  ['a tag', 'Host: a b<script>\r\n'],
  ['a port that is none', 'Host: a:b\r\n'],
  ['a port alone', 'Host: :80\r\n'],
  ['half an address', 'Host: [::1\r\n'],
  ['a port too large', 'Host: a:99999\r\n'],
  ['a percent sign', 'Host: %25\r\n'],
  ['an address too long', 'Host: 1.2.3.4.5\r\n'],
])('a request must name one Host, else it is refused and closed: %s', async (_which, hosts) => {
  for (const path of ['/livez', '/none'])
    expectBroken((await exchange(`GET ${path} HTTP/1.1\r\n${hosts}\r\n`)).text, 400)
})

test.each([
  ['1.1', 'Host: a'],
  ['1.1', 'Host: apis.example.com:8080'],
  ['1.1', 'Host: [2001:db8::1]:80'],
  ['1.1', 'Host: '],
  ['1.0', 'X: y'],
])('other Hosts are taken: HTTP/%s with %s', async (version, header) => {
  const { text } = await exchange(`GET /livez HTTP/${version}\r\n${header}\r\nConnection: close\r\n\r\n`)
  expect(text).toMatch(/^HTTP\/1.1 200 /)
})

test('an expectation that cannot be met is refused and closed', async () => {
  expectBroken((await exchange(`${post}Expect: foo\r\nContent-Length: 2\r\n\r\n`)).text, 417, 'ExpectationFailed')
  const { text } = await exchange(`${post}Expect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`)
  expect(text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 400 /)
})

test('a coding of the transfer other than chunks is refused and closed', async () => {
  const { text } = await exchange(`${post}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)
  expectBroken(text, 501, 'NotImplemented')
})

test('who sends all of a body before reading hears that it is too large', async () => {
  const body = ' '.repeat(8_000_000)
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1' })
  socket.pause()
  await new Promise<void>((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve())
    socket.on('error', done)
    socket.write(`${post}Content-Length: ${body.length}\r\n\r\n${body}`, done)
  })
  socket.resume()
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1.1 413 /)
  socket.destroy()
})

test.concurrent.each<[string, string]>([
  ['headers', 'GET /livez HTTP/1.1\r\nHost: a'],
  ['a body', `${post}Content-Length: 100\r\n\r\n{"email": `],
  ['a chunked body', `${post}Transfer-Encoding: chunked\r\n\r\n5\r\n{"ema`],
])('slow %s: 408 and closed', async (_which, request) => {
  const { text, ms } = await exchange(request)
  expectBroken(text, 408)
  expect(ms).toBeGreaterThan(1500)
  expect(ms).toBeLessThan(8000)
})

test('a body too large is refused before it has arrived', async () => {
  const { text } = await exchange(`${post}Content-Length: 2000000\r\n\r\n`)
  expect(text).toMatch(/^HTTP\/1.1 413 /)
})

test('a client that never closes its side does not keep its connection', async () => {
  const open = () => new Promise<number>((resolve) => service.app.server.getConnections((_, count) => resolve(count)))
  await expect.poll(open).toBe(0)
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', allowHalfOpen: true })
  socket.write('HELLO\r\n\r\n')
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1.1 400 /)
  await expect.poll(open, { timeout: 5000 }).toBe(0)
  expect(socket.writable).toBe(true)
  socket.destroy()
})

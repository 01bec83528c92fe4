import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const credentials = JSON.stringify({ email: 'nobody@example.com', password: 'a wrong password' })

/** A connection on which half a request has been sent; `finish` sends the other half, and `then` behind it. */
function halfRequest(url: string, path = '/api/login', type = 'application/json', body = credentials) {
  const { hostname, port } = new URL(url)
  const socket: Socket = createConnection(Number(port), hostname)
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
  })
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(text)))
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
  )
  return {
    ended,
    finish: (then = '') => {
      socket.write(body.slice(9) + then)
    },
  }
}

test('a service that stops answers what is in flight and what comes behind it, and waits for no idle client', async () => {
  const service = await startService()
  const alone = halfRequest(service.url)
  const probed = halfRequest(service.url)
  const read = halfRequest(service.url)
  await sleep(200)
  const stopped = service.stop()
  await sleep(100)
  const began = performance.now()
  alone.finish()
  probed.finish('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n')
  read.finish('GET /api/apis/none HTTP/1.1\r\nHost: x\r\nAccept: application/xml\r\n\r\n')
  await stopped
  expect(performance.now() - began).toBeLessThan(3000)

  expect(await alone.ended).toMatch(/^HTTP\/1.1 401 .*"faultcode"/s)
  const [, ready = ''] = (await probed.ended).split('HTTP/1.1 503')
  expect(ready).toMatch(/\r\nretry-after: \d+\r\n.*"faultstring":"The service is about to stop."/is)
  const [, missing = ''] = (await read.ended).split('HTTP/1.1 404')
  expect(missing).toMatch(/\r\nconnection: close\r\n.*<faultcode>NotFound<\/faultcode>/is)
})

test('what is in flight on the port of the OAuth login service is answered as well', async () => {
  const service = await startService({ OAUTH_PORT: '0' })
  const port = await service.app.listenForOAuth()
  const form = 'identity_username=nobody&secret_password=wrong'
  const request = halfRequest(`http://127.0.0.1:${port}`, '/oauth/login', 'application/x-www-form-urlencoded', form)
  await sleep(200)
  const stopped = service.stop()
  await sleep(200)
  request.finish()
  expect(await request.ended).toMatch(/^HTTP\/1.1 401 .*"faultcode"/s)
  await stopped
})

test('a service that stops does not wait for a connection on which nothing was sent', async () => {
  const service = await startService()
  const { hostname, port } = new URL(service.url)
  const silent = createConnection(Number(port), hostname)
  await once(silent, 'connect')
  await service.client().get('/livez')
  const began = performance.now()
  await Promise.all([once(silent.resume(), 'close'), service.stop()])
  expect(performance.now() - began).toBeLessThan(2000)
})

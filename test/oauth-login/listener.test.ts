import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { oauthListener } from '../../src/oauth-login/listener.ts'
import { createClient } from '../support/client.ts'
import { sendForm } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService({ OAUTH_PORT: '0' })
const port = await service.app.listenForOAuth()
const alone = () => createClient(`http://127.0.0.1:${port}`)
const person = await service.person()
const fields = { identity_email: person.email, secret_password: person.password }

test('a port of its own serves the OAuth login service and nothing else', async () => {
  expect((await sendForm(alone(), '/oauth/login', fields)).status).toBe(200)
  for (const path of ['/api/login/domains', '/readyz', '/', '/oauth', '/oauthx/login'])
    expect((await alone().get(path)).status, path).toBe(404)
})

test('it answers on the main port as well', async () => {
  expect((await sendForm(service.client(), '/oauth/login', fields)).status).toBe(200)
  expect((await service.client().get('/api/login/domains')).status).toBe(200)
})

test('a broken request on it is answered like on the main port', async () => {
  const answer = await alone().get('/oauth/login/%zz')
  expect([answer.status, answer.json.faultcode]).toEqual([400, 'Malformed'])
})

test('its connections are limited as those of the main port', async ({ onTestFinished }) => {
  const app = Fastify()
  onTestFinished(() => app.close())
  app.server.maxConnections = 1
  await app.register(oauthListener, { config: { ...service.config, oauthPort: 0 } })
  await app.ready()
  const limited = (await app.listenForOAuth()) as number
  const [first, second] = [connect(limited, '127.0.0.1'), connect(limited, '127.0.0.1')]
  await once(second, 'close')
  expect(first.readyState).toBe('open')
  first.destroy()
})

test('it closes with the service', async () => {
  const url = alone()
  await url.get('/oauth/login')
  await service.stop()
  await expect(url.get('/oauth/login')).rejects.toThrow(/ECONNREFUSED|socket hang up|ECONNRESET/)
})

import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createBrowser } from '../../support/open-id/browser.ts'
import { addOpenIdDomain } from '../../support/open-id/domain.ts'
import { type Behaviour, type HostileProvider, startHostileProvider } from '../../support/open-id/hostile-provider.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const json = { 'content-type': 'application/json' }

/** A provider of its own for each case, so that they can wait at the same time. */
async function startDomain(behaviour: Behaviour, pem?: string) {
  const provider = await startHostileProvider(pem)
  provider.behaviour = behaviour
  return { provider, domain: await addOpenIdDomain(service, { Issuer: provider.issuer }) }
}

async function expectUnavailable(entrance: string, reason: RegExp) {
  const browser = createBrowser()
  const began = performance.now()
  const page = await browser.visit(entrance)
  expect([page.status, page.text]).toEqual([503, expect.stringMatching(reason)])
  expect(page.headers['retry-after']).toBe('1')
  expect(browser.client(service.url).cookies.has('PlatformAuthToken_platform')).toBe(false)
  return performance.now() - began
}

const sent = { bytes: 0 }

type Answers = (request: IncomingMessage, response: ServerResponse) => void

describe.concurrent('a provider is given three seconds', () => {
  const trickle: Answers = (_request, response) => {
    response.writeHead(200, json)
    const timer = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(timer))
  }

  test.each<[string, string, Answers]>([
    ['to describe itself', '/.well-known/openid-configuration', () => {}],
    ['in all, though it has begun to answer', '/token', trickle],
  ])('%s', async (_case, path, answers) => {
    const { domain } = await startDomain({ at: { [path]: answers } })
    expect(await expectUnavailable(domain.entrance, /longer than 3 seconds/)).toBeLessThan(4500)
  })

  test('by ten people at once: the next is told so, and others sign in elsewhere', async () => {
    const { domain } = await startDomain({ at: { '/token': () => {} } })
    const { domain: other } = await startDomain({})
    const times = Array.from({ length: 11 }, () => expectUnavailable(domain.entrance, /3 seconds|Too many/))
    await Promise.any(times)
    expect((await createBrowser().visit(other.entrance)).status).toBe(200)
    const sorted = (await Promise.all(times)).sort((one, another) => one - another)
    expect(sorted[0]).toBeLessThan(2500)
    expect(sorted[1]).toBeGreaterThan(2500)
  })
})

const fails: Answers = (_request, response) => response.writeHead(500, json).end('{}')

const failures: [string, Answers, RegExp][] = [
  [
    'answers 50 MB',
    (_request, response) => {
      response.writeHead(200, json)
      const megabyte = Buffer.alloc(1024 * 1024, ' ')
      const more = () => {
        sent.bytes += megabyte.length
        if (sent.bytes < 50 * megabyte.length && !response.destroyed) response.write(megabyte, more)
      }
      more()
    },
    /too large/,
  ],
  ['redirects', (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end(), /redirects/],
  [
    'answers a page of HTML',
    (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Back soon'),
    /HTML/,
  ],
  ['fails', fails, /status 500/],
  ['answers nothing', (_request, response) => response.writeHead(204).end(), /status 204/],
  ['has too much to do', (_request, response) => response.writeHead(429, json).end('{}'), /status 429/],
  ['hangs up', ({ socket }) => socket.destroy(), /ECONNRESET/],
  [
    'hangs up in the middle',
    ({ socket }, response) => {
      response.writeHead(200, { ...json, 'content-length': 100 })
      response.write('{', () => socket.destroy())
    },
    /broke off/,
  ],
]

describe.each(failures)('a provider that %s is unavailable', (_case, answers, reason) => {
  test.each(['/.well-known/openid-configuration', '/token', '/keys'])('at %s', async (path) => {
    const { domain, provider } = await startDomain({ at: { [path]: answers } })
    expect(await expectUnavailable(domain.entrance, reason)).toBeLessThan(2500)
    expect(provider.asked).not.toContain('/elsewhere')
  })
})

test('little is read of an answer that is too large', () => {
  expect(sent.bytes).toBeGreaterThan(0)
  expect(sent.bytes).toBeLessThan(3 * 10 * 1024 * 1024)
})

test('a provider that is away is unavailable, and is there again once it is', async () => {
  const domain = await addOpenIdDomain(service, { Issuer: 'http://127.0.0.1:9' })
  await expectUnavailable(domain.entrance, /ECONNREFUSED/)
  const { provider, domain: other } = await startDomain({ at: { '/.well-known/openid-configuration': fails } })
  await expectUnavailable(other.entrance, /status 500/)
  provider.behaviour = {}
  expect((await createBrowser().visit(other.entrance)).status).toBe(200)
})

describe('a provider that cannot be used is unavailable: ', () => {
  test('elsewhere by plain http', async () => {
    const { entrance } = await addOpenIdDomain(service, { Issuer: 'http://id.example.com' })
    await expectUnavailable(entrance, /not https/)
  })

  test.each<[string, (provider: HostileProvider) => Record<string, unknown>, RegExp]>([
    ['another issuer', () => ({ issuer: 'https://other.example.com' }), /calls itself .*other.example.com/],
    ['the issuer with a slash more', ({ issuer }) => ({ issuer: `${issuer}/` }), /calls itself/],
    ['no issuer', () => ({ issuer: undefined }), /calls itself/],
    ['no token endpoint', () => ({ token_endpoint: undefined }), /no token_endpoint/],
    ['keys elsewhere by plain http', () => ({ jwks_uri: 'http://keys.example.com/' }), /jwks_uri is not an https/],
    ['a script to visit', () => ({ authorization_endpoint: 'javascript:alert(1)' }), /authorization_endpoint is not/],
    ['a number as endpoint', () => ({ userinfo_endpoint: 7 }), /no userinfo_endpoint/],
    ['no code flow', () => ({ response_types_supported: ['id_token'] }), /code flow/],
    ['answers by form only', () => ({ response_modes_supported: ['form_post'] }), /response mode/],
    ['PKCE in the clear only', () => ({ code_challenge_methods_supported: ['plain'] }), /S256/],
    ['shared keys only', () => ({ id_token_signing_alg_values_supported: ['HS256', 'none'] }), /signs its ID tokens/],
  ])('%s', async (_case, description, reason) => {
    const { provider, domain } = await startDomain({})
    provider.behaviour = { description: description(provider) }
    await expectUnavailable(domain.entrance, reason)
  })

  test.each<[string, string]>([
    ['a list', '[]'],
    ['null', 'null'],
    ['no JSON', '{"issuer": '],
  ])('a description that is %s', async (_case, body) => {
    const at = {
      '/.well-known/openid-configuration': (_request: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(200, json).end(body),
    }
    const { domain } = await startDomain({ at })
    await expectUnavailable(domain.entrance, /JSON object/)
  })
})

describe('a provider behind TLS', async () => {
  const pem = await readFile(new URL('../../fixtures/localhost.pem', import.meta.url), 'utf8')
  const certificate = pem.slice(pem.indexOf('-----BEGIN CERTIFICATE'))
  const provider = await startHostileProvider(pem)

  test('is not believed when no authority vouches for it', async () => {
    const { entrance } = await addOpenIdDomain(service, { Issuer: provider.issuer })
    await expectUnavailable(entrance, /SELF_SIGNED|DEPTH_ZERO/)
    expect(provider.asked).toEqual([])
  })

  test('is believed with its certificate in CaCertificates', async () => {
    const { entrance } = await addOpenIdDomain(service, { Issuer: provider.issuer, CaCertificates: certificate })
    const page = await createBrowser().open(entrance)
    expect([page.status, page.headers.location]).toEqual([
      302,
      expect.stringContaining(`${provider.issuer}/authorize?`),
    ])
  })

  test('may not send anybody on to plain http', async () => {
    provider.behaviour = { description: { token_endpoint: 'http://127.0.0.1:9/token' } }
    const { entrance } = await addOpenIdDomain(service, { Issuer: provider.issuer, CaCertificates: certificate })
    await expectUnavailable(entrance, /token_endpoint is not an https/)
  })
})

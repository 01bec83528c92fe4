import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createBrowser, type Page } from '../../support/open-id/browser.ts'
import { addOpenIdDomain } from '../../support/open-id/domain.ts'
import { type Behaviour, makeKey, sign, startHostileProvider } from '../../support/open-id/hostile-provider.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const provider = await startHostileProvider()
const secret = 'a-secret-that-only-the-two-know'
const domain = await addOpenIdDomain(service, { Issuer: provider.issuer }, { secret })
const otherKey = await makeKey()
const tokenCookie = 'PlatformAuthToken_platform'

/** Signs in while the provider behaves in this way. */
async function attempt(behaviour: Behaviour): Promise<Page & { cookies: Map<string, string> }> {
  provider.behaviour = behaviour
  const browser = createBrowser()
  const page = await browser.visit(domain.entrance)
  return Object.assign(page, { cookies: browser.client(service.url).cookies })
}

function expectRefused(page: Awaited<ReturnType<typeof attempt>>, reason: RegExp, status = 401) {
  expect([page.status, page.text]).toEqual([status, expect.stringMatching(reason)])
  expect(page.at.href.split('?')[0]).toBe(domain.entrance)
  expect(page.cookies.has(tokenCookie)).toBe(false)
  for (const hidden of [...provider.secrets, secret]) expect(page.text).not.toContain(hidden)
}

const now = () => Math.floor(Date.now() / 1000)
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const withClaims = (claims: Record<string, unknown>): Behaviour => ({ claims })

test.each<[string, Behaviour]>([
  ['a proper answer', {}],
  ['an ID token that is issued 30 seconds from now', withClaims({ iat: now() + 30 })],
  ['one that ended 10 seconds ago', withClaims({ exp: now() - 10 })],
  ['one for another audience too, issued to us', withClaims({ aud: ['platform', 'another'], azp: 'platform' })],
  ['one that names no key, where there is one only', { idToken: (claims) => sign(claims, provider.key, {}) }],
])('%s signs in', async (_case, behaviour) => {
  const page = await attempt(behaviour)
  expect([page.status, page.cookies.has(tokenCookie)]).toEqual([200, true])
})

test('keys that change between two sign-ins are read again, and only then', async () => {
  const keysRead = () => provider.asked.filter((path) => path === '/keys').length
  expect((await attempt({})).status).toBe(200)
  const before = keysRead()
  expect((await attempt({})).status).toBe(200)
  expect(keysRead()).toBe(before)
  provider.key = await makeKey()
  expect((await attempt({})).status).toBe(200)
  expect(keysRead()).toBe(before + 1)
})

test('a key of the same name that changes costs one sign-in', async () => {
  provider.key = await makeKey(provider.key.kid)
  expectRefused(await attempt({}), /signature/)
  expect((await attempt({})).status).toBe(200)
})

describe('an ID token is refused', () => {
  test.each<[string, Behaviour, RegExp]>([
    ['of another issuer', withClaims({ iss: 'https://other.example.com' }), /issuer/],
    ['without an issuer', withClaims({ iss: undefined }), /issuer/],
    ['for another audience', withClaims({ aud: 'another' }), /audience/],
    ['without an audience', withClaims({ aud: undefined }), /audience/],
    ['for several audiences without azp', withClaims({ aud: ['platform', 'another'] }), /audience/],
    ['for several audiences, issued to another', withClaims({ aud: ['platform', 'b'], azp: 'b' }), /authorized party/],
    ['for us alone, issued to another', withClaims({ azp: 'another' }), /another client/],
    ['that has expired', withClaims({ exp: now() - 40 }), /expiration/],
    ['without expiry', withClaims({ exp: undefined }), /expiration/],
    ['without its time of issue', withClaims({ iat: undefined }), /issued at/],
    ['issued 90 seconds from now', withClaims({ iat: now() + 90 }), /future/],
    ['that is not valid yet', withClaims({ nbf: now() + 90 }), /not before/],
    ['without nonce', withClaims({ nonce: undefined }), /nonce/],
    ['with another nonce', withClaims({ nonce: 'another' }), /nonce/],
    ['without subject', withClaims({ sub: undefined }), /subject|\\"sub\\"/],
    ['with a subject that is a number', withClaims({ sub: 7 }), /subject|\\"sub\\"/],
    ['with an empty subject', withClaims({ sub: '' }), /subject/],
    ['with NUL in its subject', withClaims({ sub: 'ali\0ce' }), /subject/],
    ['with a subject of 256 characters', withClaims({ sub: 'a'.repeat(256) }), /subject/],
    ['that is not signed', { idToken: (claims) => `${encoded({ alg: 'none' })}.${encoded(claims)}.` }, /\\"alg\\"/],
    [
      'signed with the secret of the client',
      {
        idToken: (claims) => {
          const content = `${encoded({ alg: 'HS256' })}.${encoded(claims)}`
          return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
        },
      },
      /\\"alg\\"/,
    ],
    [
      'that was changed after it was signed',
      {
        idToken: async (claims, proper) => {
          const [header, , signature] = (await proper(claims)).split('.')
          return [header, encoded({ ...claims, sub: 'admin' }), signature].join('.')
        },
      },
      /signature/,
    ],
    ['with half a signature', { idToken: async (claims, proper) => (await proper(claims)).slice(0, -40) }, /signature/],
    [
      'signed by another key under the name of the right one',
      { idToken: (claims) => sign(claims, otherKey, { kid: provider.key.kid }) },
      /signature/,
    ],
    [
      'signed by a key that the provider does not have',
      { idToken: (claims) => sign(claims, otherKey) },
      /no applicable keys/,
    ],
    [
      'that does not say by which of two keys it is signed',
      {
        keys: [provider.key.public, otherKey.public],
        idToken: (claims) => sign(claims, provider.key, {}),
      },
      /multiple applicable keys/,
    ],
    [
      'that is critical in a way unknown to us',
      { idToken: (c) => sign(c, provider.key, { crit: ['b64'], b64: true }) },
      /\\"crit\\"/,
    ],
    ['that is no token', { idToken: () => 'eyJ not a token' }, /JWT/],
    ['that is three dots of nothing', { idToken: () => '..' }, /parse JWT/],
    ['that is not there', { tokens: { id_token: undefined } }, /id_token/],
    ['that is a number', { tokens: { id_token: 7 } }, /id_token/],
    ['beside no access token', { tokens: { access_token: undefined } }, /access_token/],
    [
      'beside claims of another person',
      {
        description: { userinfo_endpoint: `${provider.issuer}/userinfo` },
        claims: { email: undefined },
        userinfo: { sub: 'bob' },
      },
      /subject|\\"sub\\"/,
    ],
  ])('%s', async (_case, behaviour, reason) => {
    expectRefused(await attempt(behaviour), reason)
  })
})

describe('what the browser brings back is refused', () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    ['from another issuer', { iss: 'https://other.example.com' }, /issuer/],
    ['without the issuer that the provider always sends', { iss: undefined }, /issuer/],
    ['without a code', { code: undefined }, /no authorization code/],
    ['with an empty code', { code: '' }, /no authorization code/],
    ['with two codes', { code: ['one', 'two'] }, /only once/],
    ['with an ID token beside the code', { id_token: 'eyJ.eyJ.sig' }, /hybrid/],
    ['with another state', { state: 'a-state-of-43-characters-that-nobody-has-had' }, /no such sign-in/],
    ['with the beginning of the state', { state: 'short' }, /no such sign-in/],
    ['with NUL in the state', { state: '\0'.repeat(43) }, /no such sign-in/],
    [
      'where the person said no',
      { code: undefined, error: 'access_denied' },
      /refused to sign you in \(access_denied\)/,
    ],
    ['where the provider says something odd', { error: '<script>' }, /refused to sign you in\./],
  ])('%s', async (_case, callback, reason) => {
    expectRefused(await attempt({ callback }), reason)
  })

  test('with what the provider has refused, and its reason is not told', async () => {
    const at = {
      '/token': (_request: unknown, response: ServerResponse) => {
        response.writeHead(400, { 'content-type': 'application/json', 'www-authenticate': 'Basic realm="x"' })
        response.end(JSON.stringify({ error: 'invalid_grant', error_description: `not ${secret}` }))
      },
    }
    expectRefused(await attempt({ at }), /refused this sign-in \(invalid_grant\)/)
  })
})

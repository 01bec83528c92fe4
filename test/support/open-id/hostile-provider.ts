import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterAll } from 'vitest'

type Members = Record<string, unknown>
type Answers = (request: IncomingMessage, response: ServerResponse) => void

export interface SigningKey {
  kid: string
  secret: CryptoKey
  public: JWK
}

/** How a provider differs from a proper one: members over the proper ones, undefined to leave one out. */
export interface Behaviour {
  description?: Members
  callback?: Members
  claims?: Members
  /** Makes the ID token in its own way; `proper` signs as it should be. */
  idToken?: (claims: Members, proper: (claims: Members) => Promise<string>) => string | Promise<string>
  tokens?: Members
  userinfo?: Members
  keys?: JWK[]
  /** Answers at a path in its own way. */
  at?: Record<string, Answers>
}

/** An OpenID Connect provider of our own that does as it is told. */
export interface HostileProvider {
  issuer: string
  key: SigningKey
  behaviour: Behaviour
  /** The paths that it was asked for, in order. */
  asked: string[]
  /** What it was last asked for tokens with. */
  tokenRequest: { authorization: string | undefined; form: URLSearchParams } | undefined
  /** Everything that must never be shown to anybody: codes and tokens that it gave. */
  secrets: string[]
}

const methods: Members = { scopes_supported: ['openid'], code_challenge_methods_supported: ['S256'] }
let made = 0

export async function makeKey(kid = `key ${++made}`): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  return { kid, secret: privateKey, public: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } }
}

/** Signs claims as the ID token of a key. */
export function sign(claims: Members, key: SigningKey, header: Members = { kid: key.kid }): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...header }).sign(key.secret)
}

/** Starts it on a free port of this machine, with TLS if there is a certificate; it stops when the test file ends. */
export async function startHostileProvider(pem?: string): Promise<HostileProvider> {
  const server = pem === undefined ? createServer(answer) : createTlsServer({ key: pem, cert: pem }, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => server.close().closeAllConnections())
  const scheme = pem === undefined ? 'http' : 'https'
  const issuer = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
  const own: HostileProvider = {
    issuer,
    key: await makeKey(),
    behaviour: {},
    asked: [],
    tokenRequest: undefined,
    secrets: [],
  }
  const nonces = new Map<string, string | null>()
  return own

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', issuer)
    own.asked.push(url.pathname)
    const other = own.behaviour.at?.[url.pathname]
    if (other) other(request, response)
    else respond(url, request, response)
  }

  function respond(url: URL, request: IncomingMessage, response: ServerResponse): void {
    proper(url, request).then(
      (answered) => {
        const isAddress = typeof answered === 'string'
        response.writeHead(isAddress ? 302 : 200, isAddress ? { location: answered } : { 'content-type': json })
        response.end(isAddress ? undefined : JSON.stringify(answered))
      },
      () => response.writeHead(500).end(),
    )
  }

  async function proper({ pathname, searchParams }: URL, request: IncomingMessage): Promise<Members | string> {
    const { description, callback, userinfo, keys } = own.behaviour
    if (pathname === '/authorize') {
      const code = `code-${++made}-of-the-provider`
      own.secrets.push(code)
      nonces.set(code, searchParams.get('nonce'))
      const back = { code, state: searchParams.get('state'), iss: issuer, ...callback }
      const given = Object.entries(back).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, `${one}`]),
      )
      return `${searchParams.get('redirect_uri')}?${new URLSearchParams(given)}`
    }
    if (pathname === '/token') {
      const form = new URLSearchParams(await text(request))
      own.tokenRequest = { authorization: request.headers.authorization, form }
      return tokens(form.get('code') ?? '')
    }
    if (pathname === '/keys') return { keys: keys ?? [own.key.public] }
    if (pathname === '/userinfo') return { sub: 'alice', email: 'userinfo@example.com', ...userinfo }
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
      authorization_response_iss_parameter_supported: true,
      ...methods,
      ...description,
    }
  }

  async function tokens(code: string): Promise<Members> {
    const { claims, idToken, tokens: others } = own.behaviour
    const now = Math.floor(Date.now() / 1000)
    const all = {
      ...{ iss: issuer, aud: 'platform', sub: 'alice', iat: now, exp: now + 60, nonce: nonces.get(code) },
      ...{ preferred_username: 'Alice', email: 'alice@example.com' },
      ...claims,
    }
    const sound = (content: Members) => sign(content, own.key)
    const id_token = await (idToken ? idToken(all, sound) : sound(all))
    const access_token = `access-${++made}-of-the-provider`
    own.secrets.push(access_token, id_token)
    return { access_token, token_type: 'Bearer', id_token, ...others }
  }
}

const json = 'application/json'

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'
import { afterAll } from 'vitest'

export interface Person {
  sub: string
  [claim: string]: unknown
}

/** A certified OpenID Connect provider, at which whoever comes is signed in as `person` at once. */
export interface RealProvider {
  issuer: string
  person: Person
  /** Whether people say no when they are asked. */
  denies: boolean
}

export const clientSecret = 'the secret of the client, with + and % in it'

let pair: ReturnType<typeof generateKeyPair> | undefined
/** One for all of a test file: making it takes a while. */
function keyPair() {
  pair ??= generateKeyPair('RS256', { extractable: true })
  return pair
}

/** Starts the provider on a free port of this machine; it stops when the test file ends. */
export async function startProvider(redirectUris: string[], more: Configuration = {}): Promise<RealProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => server.close().closeAllConnections())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await keyPair()
  const own: RealProvider = { issuer, person: { sub: 'nobody' }, denies: false }
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'platform', client_secret: clientSecret, redirect_uris: redirectUris }],
    pkce: { required: () => true },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a key of the provider'] },
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'], email: ['email'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...own.person, sub }) }),
    // Said, so that it does not write about them.
    ttl: { Interaction: 60, Session: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
    ...more,
  })
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next()
    const { prompt, params, session } = await provider.interactionDetails(context.req, context.res)
    context.respond = false
    await provider.interactionFinished(context.req, context.res, await answer(prompt.name, params, session?.accountId))
  })
  server.on('request', provider.callback())
  return own

  async function answer(prompt: string, { client_id, scope }: Record<string, unknown>, accountId: string | undefined) {
    if (own.denies) return { error: 'access_denied', error_description: 'No.' }
    if (prompt === 'login') return { login: { accountId: own.person.sub } }
    const grant = new provider.Grant({ accountId: accountId as string, clientId: client_id as string })
    grant.addOIDCScope(scope as string)
    return { consent: { grantId: await grant.save() } }
  }
}

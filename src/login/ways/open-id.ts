import type { Configuration, IDToken, UserInfoResponse } from 'openid-client'
import type { OpenIdSettings } from '../../login-domains/settings.ts'
import type { Identity } from '../people.ts'
import { checkClaims, identityOf, lacksClaims } from './open-id/identity.ts'
import { clientOf, forget, loadClient, type Provider, providerOf } from './open-id/provider.ts'
import { refusalOf } from './open-id/refusal.ts'
import { tryProvider } from './open-id/try.ts'
import type { DomainOf, FlowSecrets, RedirectWay } from './way.ts'

type Domain = DomainOf<OpenIdSettings>

/** Proves by a visit to an OpenID Connect provider: the code flow with PKCE, state and nonce. */
export const openId: RedirectWay<OpenIdSettings> = { needs: 'redirect', begin, finish, test: tryProvider }

async function begin(domain: Domain, redirectUri: string): Promise<{ url: string; secrets: FlowSecrets }> {
  const client = await loadClient()
  const config = await clientOf(await providerOf(domain), domain)
  const secrets = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    codeVerifier: client.randomPKCECodeVerifier(),
  }
  const { href } = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: domain.settings.Scope,
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(secrets.codeVerifier),
    code_challenge_method: 'S256',
  })
  return { url: href, secrets }
}

async function finish(domain: Domain, answer: URL, secrets: FlowSecrets): Promise<Identity> {
  const remembered = providerOf(domain)
  const provider = await remembered
  try {
    return await redeem(provider, domain, answer, secrets)
  } catch (error) {
    forget(domain, remembered)
    throw refusalOf(error)
  }
}

async function redeem(provider: Provider, domain: Domain, answer: URL, secrets: FlowSecrets): Promise<Identity> {
  const client = await loadClient()
  const config = await clientOf(provider, domain)
  const tokens = await client.authorizationCodeGrant(config, answer, {
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    pkceCodeVerifier: secrets.codeVerifier,
    idTokenExpected: true,
  })
  provider.keys = client.getJwksCache(config)?.jwks
  const claims = tokens.claims() as IDToken
  checkClaims(claims, domain.settings)
  const more = await moreClaims(config, domain, tokens.access_token, claims)
  return identityOf(claims, more, domain.settings)
}

/** What the userinfo endpoint adds where the ID token lacks a claim that is looked at. */
async function moreClaims(
  config: Configuration,
  { settings, roleRules = [] }: Domain,
  accessToken: string,
  claims: IDToken,
): Promise<UserInfoResponse | undefined> {
  const attributes = roleRules.map(({ attribute }) => attribute)
  if (!config.serverMetadata().userinfo_endpoint || !lacksClaims(claims, settings, attributes)) return undefined
  const { fetchUserInfo } = await loadClient()
  return fetchUserInfo(config, accessToken, claims.sub)
}

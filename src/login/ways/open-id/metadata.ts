import type { ServerMetadata } from 'openid-client'
import { Unavailable } from '../../../fault.ts'
import { isReachable } from '../../../login-domains/open-id-settings.ts'
import type { OpenIdSettings } from '../../../login-domains/settings.ts'
import { fetchTrusting } from './fetch.ts'

/** The document in which a provider describes itself, as it came. */
export type Description = Record<string, unknown>

/** Never the symmetric ones, whose key every client shares, nor none. */
const algorithms = ['RS', 'PS', 'ES'].flatMap((kind) => ['256', '384', '512'].map((size) => kind + size))
const signatures = [...algorithms, 'EdDSA', 'Ed25519']

/** Reads the document from where the issuer has it. */
export function readDescription(settings: OpenIdSettings): Promise<Description> {
  return readObject(`${settings.Issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, settings)
}

/** @throws Unavailable for every answer but a JSON object */
export async function readObject(
  address: string,
  { CaCertificates }: OpenIdSettings,
): Promise<Record<string, unknown>> {
  const fetch = fetchTrusting(CaCertificates)
  const headers = { accept: 'application/json, application/jwk-set+json' }
  const response = await fetch(address, { method: 'GET', headers, body: undefined, redirect: 'manual' })
  if (response.status !== 200) throw new Unavailable(`The provider answers status ${response.status} at ${address}.`)
  const found: unknown = await response.json().catch(() => undefined)
  if (typeof found === 'object' && found !== null && !Array.isArray(found)) return { ...found }
  throw new Unavailable(`The provider does not answer a JSON object at ${address}.`)
}

/** What a description has to hold, one after another; each says what is wrong. */
export const requirements: [step: string, check: (is: Description, settings: OpenIdSettings) => string | undefined][] =
  [
    ['Compare the issuer', checkIssuer],
    ['Find the endpoints', checkEndpoints],
    ['Compare what both can do', checkAbilities],
  ]

function checkIssuer({ issuer }: Description, { Issuer }: OpenIdSettings): string | undefined {
  if (issuer === Issuer) return undefined
  return `The provider calls itself ${JSON.stringify(issuer)?.slice(0, 300)}, not ${JSON.stringify(Issuer)}.`
}

function checkEndpoints(is: Description, { Issuer }: OpenIdSettings): string | undefined {
  const optional = is.userinfo_endpoint === undefined ? [] : ['userinfo_endpoint']
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri', ...optional]) {
    const address = is[name]
    if (typeof address !== 'string') return `The provider names no ${name}.`
    const url = URL.canParse(address) ? new URL(address) : undefined
    const isSafe = url && isReachable(url) && (url.protocol === 'https:' || Issuer.startsWith('http:'))
    if (!isSafe) return `The provider's ${name} is not an https address.`
  }
  return undefined
}

function checkAbilities(is: Description): string | undefined {
  if (!offers(is.response_types_supported, 'code')) return 'The provider does not offer the code flow.'
  if (!offers(is.response_modes_supported, 'query')) return 'The provider does not offer the response mode query.'
  if (!offers(is.code_challenge_methods_supported, 'S256')) return 'The provider does not offer PKCE with S256.'
  if (signaturesIn(is.id_token_signing_alg_values_supported).length === 0) {
    return `The provider signs its ID tokens in none of these ways: ${signatures.join(', ')}.`
  }
  return undefined
}

/** A list that is absent excludes nothing. */
function offers(list: unknown, value: string): boolean {
  return !Array.isArray(list) || list.includes(value)
}

function signaturesIn(list: unknown): string[] {
  return Array.isArray(list) ? signatures.filter((name) => list.includes(name)) : ['RS256']
}

/** What is used of a description that meets the requirements. */
export function metadataOf(is: Description): ServerMetadata {
  const text = (name: string) => (typeof is[name] === 'string' ? { [name]: is[name] } : {})
  return {
    issuer: is.issuer as string,
    ...text('authorization_endpoint'),
    ...text('token_endpoint'),
    ...text('jwks_uri'),
    ...text('userinfo_endpoint'),
    id_token_signing_alg_values_supported: signaturesIn(is.id_token_signing_alg_values_supported),
    userinfo_signing_alg_values_supported: signaturesIn(is.userinfo_signing_alg_values_supported),
    authorization_response_iss_parameter_supported: is.authorization_response_iss_parameter_supported === true,
    // The default of the standard.
    token_endpoint_auth_methods_supported: Array.isArray(is.token_endpoint_auth_methods_supported)
      ? is.token_endpoint_auth_methods_supported
      : ['client_secret_basic'],
  }
}

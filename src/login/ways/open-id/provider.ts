import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client'
import { Unavailable } from '../../../fault.ts'
import type { OpenIdSettings } from '../../../login-domains/settings.ts'
import type { DomainOf } from '../way.ts'
import { fetchTrusting } from './fetch.ts'
import { metadataOf, readDescription, requirements } from './metadata.ts'

type Client = typeof import('openid-client')
type Keys = Parameters<Client['setJwksCache']>[1]['jwks']

/** What is known of a provider. */
export interface Provider {
  metadata: ServerMetadata
  /** Read when they are first needed, and again when a token is signed by another. */
  keys?: Keys | undefined
}

const lifeMs = 5 * 60_000
const most = 100
const known = new Map<string, { provider: Promise<Provider>; until: number }>()

const clockToleranceSeconds = 30
/** At this age of the keys the client reads them again for a token that none of them signed. */
const rereadableSeconds = 60

/** Loaded at the first sign-in: most deployments have no such provider, or not yet. */
export const loadClient = (): Promise<Client> => import('openid-client')

/**
 * The provider of a login domain, remembered for five minutes for these settings.
 * @throws Unavailable when it does not answer, or cannot be used
 */
export function providerOf(domain: DomainOf<OpenIdSettings>): Promise<Provider> {
  const key = keyOf(domain)
  const remembered = known.get(key)
  if (remembered && remembered.until > performance.now()) return remembered.provider
  const provider = discover(domain.settings)
  known.delete(key)
  known.set(key, { provider, until: performance.now() + lifeMs })
  for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - most))) known.delete(oldest)
  provider.catch(() => forget(domain, provider))
  return provider
}

/** Has the next sign-in ask again: what is remembered may be what failed. */
export function forget(domain: DomainOf<OpenIdSettings>, provider: Promise<Provider>): void {
  if (known.get(keyOf(domain))?.provider === provider) known.delete(keyOf(domain))
}

function keyOf({ id, settings }: DomainOf<OpenIdSettings>): string {
  return `${id} ${JSON.stringify(settings)}`
}

async function discover(settings: OpenIdSettings): Promise<Provider> {
  const description = await readDescription(settings)
  for (const [, check] of requirements) {
    const wrong = check(description, settings)
    if (wrong) throw new Unavailable(wrong)
  }
  return { metadata: metadataOf(description) }
}

/** A client of the provider for one sign-in: every check on, none that the provider could talk it out of. */
export async function clientOf(
  { metadata, keys }: Provider,
  { settings, secret }: DomainOf<OpenIdSettings>,
): Promise<Configuration> {
  const client = await loadClient()
  const authentication = authenticationOf(client, metadata, secret)
  const tolerance = { [client.clockTolerance]: clockToleranceSeconds }
  const config = new client.Configuration(metadata, settings.ClientId, tolerance, authentication)
  config[client.customFetch] = fetchTrusting(settings.CaCertificates)
  client.enableNonRepudiationChecks(config)
  if (settings.Issuer.startsWith('http:')) client.allowInsecureRequests(config)
  if (keys) client.setJwksCache(config, { jwks: keys, uat: Math.floor(Date.now() / 1000) - rereadableSeconds })
  return config
}

/** @throws Unavailable when the provider takes a secret in no way that is known here */
function authenticationOf(client: Client, metadata: ServerMetadata, secret: string | undefined): ClientAuth {
  if (!secret) return client.None()
  const taken = metadata.token_endpoint_auth_methods_supported
  if (taken?.includes('client_secret_basic')) return client.ClientSecretBasic(secret)
  if (taken?.includes('client_secret_post')) return client.ClientSecretPost(secret)
  throw new Unavailable('The provider takes a client secret neither by client_secret_basic nor by client_secret_post.')
}

import { FaultError } from '../../../fault.ts'
import type { OpenIdSettings } from '../../../login-domains/settings.ts'
import type { DomainOf, Step } from '../way.ts'
import { type Description, metadataOf, readDescription, readObject, requirements } from './metadata.ts'
import { clientOf, loadClient } from './provider.ts'

/** Tries what can be tried without a person, up to the first step that fails. Nothing remembered is used. */
export async function tryProvider(domain: DomainOf<OpenIdSettings>): Promise<Step[]> {
  const { settings } = domain
  let description: Description = {}
  const steps: [string, () => Promise<string | undefined>][] = [
    [
      'Read the discovery document',
      async () => {
        description = await readDescription(settings)
        return undefined
      },
    ],
    ...requirements.map(([step, check]): [string, () => Promise<string | undefined>] => [
      step,
      async () => check(description, settings),
    ]),
    ['Read the keys', () => tryKeys(description.jwks_uri as string, settings)],
    ['Sign in as the client', () => tryClient(description, domain)],
  ]
  const done: Step[] = []
  for (const [step, run] of steps) {
    const failure = await run().catch(failureOf)
    done.push({ step, ...(failure !== undefined && { failure }) })
    if (failure !== undefined) break
  }
  return done
}

function failureOf(error: unknown): string {
  if (error instanceof FaultError) return error.message
  throw error
}

async function tryKeys(address: string, settings: OpenIdSettings): Promise<string | undefined> {
  const { keys } = await readObject(address, settings)
  const types = Array.isArray(keys) ? keys.map((key) => key?.kty) : []
  return types.some((type) => ['RSA', 'EC', 'OKP'].includes(type))
    ? undefined
    : `There are no public keys at ${address}.`
}

/** Asks for tokens with a code that nobody has: what is wrong with the client is said before what is with the code. */
async function tryClient(description: Description, domain: DomainOf<OpenIdSettings>): Promise<string | undefined> {
  const client = await loadClient()
  const config = await clientOf({ metadata: metadataOf(description) }, domain)
  const request = {
    code: client.randomState(),
    code_verifier: client.randomPKCECodeVerifier(),
    redirect_uri: domain.settings.Issuer,
  }
  const asked = client.genericGrantRequest(config, 'authorization_code', request)
  const refused = await asked.then(() => undefined, complaintOf)
  return refused && `The provider does not accept ClientId and secret (${refused}).`
}

/** What is said against the client; undefined when only the code was refused. */
function complaintOf(error: unknown): string | undefined {
  const { cause, error: word } = error as { cause?: unknown; error?: unknown }
  if (cause instanceof FaultError) throw cause
  if (cause instanceof Response && cause.status === 401) return 'status 401'
  return word === 'invalid_client' || word === 'unauthorized_client' ? word : undefined
}

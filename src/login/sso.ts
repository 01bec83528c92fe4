import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressFor, publicAddress } from '../address.ts'
import type { SessionInterface } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { Malformed, NotFound, TooManyRequests, Unauthorized, Unavailable } from '../fault.ts'
import { atMost } from '../in-flight.ts'
import { readSignInDomain, type SignInDomain } from '../login-domains/sign-in.ts'
import type { Services } from '../services.ts'
import { allowedFinalUrl } from './final-url.ts'
import { beginFlow, takeFlow } from './flows.ts'
import { refuseForeignPage } from './foreign-pages.ts'
import { openSession } from './open-session.ts'
import { admitPerson, type Identity, isDisabled } from './people.ts'
import { refusalsLogged } from './refusals.ts'
import { countStart } from './starts.ts'
import { readCounted, throttled } from './throttle.ts'
import type { SignedIn } from './tokens.ts'
import type { CredentialsWay, RedirectWay } from './ways/way.ts'
import { wayOf } from './ways/ways.ts'

// Whoever begins has failed at nothing, and many people may have one address.
const startsPerFailure = 10

/** The interface that somebody signs in to. */
export interface Entrance {
  on: SessionInterface
  /** The path of its operation. */
  path: string
}

/** The path at which a login domain is signed in through, and to which its provider sends the browser back. */
export function domainPath({ path }: Entrance, { id }: Pick<SignInDomain, 'id'>): string {
  return `${path}/${encodeURIComponent(id)}`
}

/** What came with a request to sign in through a domain, by form or query. */
export interface SsoRequest {
  domain: string
  userName?: string | undefined
  password?: string | undefined
  finalUrl?: string | undefined
  /** Set when the browser comes back from a provider. */
  state?: string | undefined
}

/** Where the browser has to go next, or who is signed in now. */
export type SsoResult =
  | { kind: 'redirect'; url: string }
  | { kind: 'signedIn'; person: SignedIn; finalUrl: string | undefined; visited: boolean }

/**
 * Signs somebody in through a directory or an OpenID Connect provider.
 * @throws NotFound for an unknown domain, Malformed for a finalUrl that is not allowed, Unauthorized, TooManyRequests,
 *   Unavailable
 */
export async function ssoLogin(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  entrance: Entrance,
  given: SsoRequest,
): Promise<SsoResult> {
  const { db, config } = services
  const { on } = entrance
  const base = addressFor(request, publicAddress(config, on))
  if (!base) throw new Malformed('A Host header is needed: it says where to come back to.')
  const target = given.finalUrl ? allowedFinalUrl(given.finalUrl, base, config.finalUrlHosts) : undefined
  const domain = await usableDomain(services, given.domain, on)
  const way = wayOf(domain)
  // A link on another site may begin a visit to a provider, but not bring a name and a password.
  if (way.needs === 'credentials' || request.method === 'POST') refuseForeignPage(request, config, on)
  if (way.needs === 'credentials') {
    const person = await proveHere(services, request, { domain, way, on }, given)
    return { kind: 'signedIn', person, finalUrl: target, visited: false }
  }
  const redirectUri = `${base}${domainPath(entrance, domain)}`
  const answer = new URL(request.url.replace(/^[^?]*/, ''), redirectUri)
  // Whoever brings an answer that nobody here asked for does not begin anew.
  if (given.state !== undefined || answer.searchParams.has('code') || answer.searchParams.has('error')) {
    return comeBack(services, request, reply, { domain, way, on, answer, state: given.state ?? '' })
  }
  await countStart(db, request.ip, config.loginAddressPerMinute * startsPerFailure)
  const { url, secrets } = await way.begin(domain, redirectUri)
  await beginFlow(db, request, reply, config, { domainId: domain.id, on, secrets, finalUrl: target })
  return { kind: 'redirect', url }
}

/** A login domain, how it proves who somebody is, and where they sign in. */
interface Through<Way> {
  domain: SignInDomain
  way: Way
  on: SessionInterface
}

interface Return extends Through<RedirectWay<object>> {
  /** The address that the browser came to, with the provider's parameters. */
  answer: URL
  state: string
}

async function comeBack(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { domain, way, on, answer, state }: Return,
): Promise<SsoResult> {
  const { db, config } = services
  return refusalsLogged(services, request, { domain: domain.id }, async () => {
    const flow = await takeFlow(db, request, reply, config, { domainId: domain.id, on, state })
    const identity = await way.finish(domain, answer, flow.secrets)
    const person = await admit(services, request, domain, identity, on)
    if (!person) throw new Unauthorized('This user or their login domain is disabled.')
    return { kind: 'signedIn', person, finalUrl: flow.finalUrl, visited: true }
  })
}

/** @throws NotFound; Unauthorized for a domain that signs nobody in to this interface; Unavailable without its secret */
export async function usableDomain(services: Services, named: string, on: SessionInterface): Promise<SignInDomain> {
  const domain = await readSignInDomain(services.db, services, named)
  if (!domain) throw new NotFound(`There is no login domain ${JSON.stringify(named.slice(0, 100))}.`)
  if (!domain.enabled) throw new Unauthorized(`The login domain ${domain.title} is disabled.`)
  if (domain.kind === 'local') throw new Unauthorized(`${domain.title} has no single sign-on: sign in with a password.`)
  if (on === 'oauth' && !domain.servesOAuth) {
    throw new Unauthorized(`Single sign-on to the OAuth provider is not enabled for ${domain.title}.`)
  }
  // Without it a directory would be asked as nobody, and a provider as by a client that has none.
  if (domain.secretIsLost) throw new Unavailable(`The secret of ${domain.title} cannot be read: its keys are gone.`)
  return domain
}

const withinLimit = atMost(
  { ofOneKey: 20 },
  () => new TooManyRequests('Too many people are signing in at this moment.', 1),
)

/** @throws Unauthorized with one text for whoever is unknown there, disabled here or has another password */
async function proveHere(
  services: Services,
  request: FastifyRequest,
  { domain, way, on }: Through<CredentialsWay<object>>,
  { userName, password }: SsoRequest,
): Promise<SignedIn> {
  const { db, config } = services
  if (userName === undefined || password === undefined) {
    throw new Malformed(`${domain.title} needs identity_username and secret_password.`)
  }
  const name = userName.slice(0, 320)
  // Lower case as directories are compared here; what the throttle makes of it is no finer.
  const account = `${domain.id} ${name.toLowerCase()}`
  const attempt = { account, address: request.ip, addressPerMinute: config.loginAddressPerMinute }
  const prove = async () => {
    const identity = await way.prove(domain, { userName, password })
    const isOut = await isDisabled(db, domain.id, identity)
    return identity && !isOut ? admit(services, request, domain, identity, on) : undefined
  }
  const person = await refusalsLogged(services, request, { domain: domain.id, account: name }, () =>
    withinLimit(domain.id, () => throttled(db, attempt, (subjects) => readCounted(db, subjects), prove)),
  )
  if (person) return person
  throw new Unauthorized('The user name or the password is wrong.')
}

/** @returns undefined for a user who is disabled, or whose login domain is */
async function admit(
  services: Services,
  request: FastifyRequest,
  domain: SignInDomain,
  identity: Identity,
  on: SessionInterface,
): Promise<SignedIn | undefined> {
  const person = await inTransaction(services.db, async (trx) => {
    const userId = await admitPerson(trx, domain, identity)
    return userId && openSession(trx, services, { userId, passwordHash: null }, on)
  })
  if (person) request.log.info({ user: person.userId, address: request.ip, domain: domain.id }, 'signed in')
  return person || undefined
}

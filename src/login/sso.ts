import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SessionInterface } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { Malformed, NotFound, Unauthorized } from '../fault.ts'
import { readSignInDomain, type SignInDomain } from '../login-domains/sign-in.ts'
import type { Services } from '../services.ts'
import { finalUrl } from './final-url.ts'
import { beginFlow, takeFlow } from './flows.ts'
import { openSession } from './open-session.ts'
import { admitPerson, type Identity } from './people.ts'
import { clearFailures, countFailure, refuseIfThrottled } from './throttle.ts'
import type { SignedIn } from './tokens.ts'
import { wayOf } from './ways/ways.ts'

/** The interface that somebody signs in to. */
export interface Entrance {
  on: SessionInterface
  /** Its address, such as https://apis.example.com. */
  base: string
  /** The path to which a provider sends the browser back, one for each login domain. */
  returnPath: (domain: SignInDomain) => string
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
  | { kind: 'signedIn'; person: SignedIn; domain: SignInDomain; finalUrl: string | undefined; visited: boolean }

/**
 * Signs somebody in through a directory or an OpenID Connect provider.
 * @throws NotFound for an unknown domain, Malformed for a finalUrl that is not allowed, Unauthorized, TooManyRequests
 */
export async function ssoLogin(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  entrance: Entrance,
  given: SsoRequest,
): Promise<SsoResult> {
  const { db, config } = services
  const domain = await usableDomain(services, given.domain, entrance.on)
  const target = given.finalUrl && finalUrl(given.finalUrl, entrance.base, config.finalUrlHosts)
  const way = wayOf(domain)
  const redirectUri = `${entrance.base}${entrance.returnPath(domain)}`
  if (way.needs === 'credentials') {
    const identity = await proveHere(services, request, domain, given)
    return signedIn(services, request, domain, identity, entrance.on, target || undefined, false)
  }
  if (given.state === undefined) {
    const { url, secrets } = await way.begin(domain, redirectUri)
    await beginFlow(db, reply, config, { domainId: domain.id, on: entrance.on, secrets, finalUrl: target || undefined })
    return { kind: 'redirect', url }
  }
  const flow = await takeFlow(db, request, reply, config, { domainId: domain.id, on: entrance.on, state: given.state })
  const answer = new URL(request.url.slice(request.url.indexOf('?')), redirectUri)
  const identity = await way.finish(domain, answer, flow.secrets)
  return signedIn(services, request, domain, identity, entrance.on, flow.finalUrl, true)
}

/** @throws NotFound, Unauthorized for a domain through which nobody may sign in to this interface */
export async function usableDomain(services: Services, named: string, on: SessionInterface): Promise<SignInDomain> {
  const domain = await readSignInDomain(services.db, services, named)
  if (!domain) throw new NotFound(`There is no login domain ${JSON.stringify(named.slice(0, 100))}.`)
  if (!domain.enabled) throw new Unauthorized(`The login domain ${domain.title} is disabled.`)
  if (domain.kind === 'local') throw new Unauthorized(`${domain.title} has no single sign-on: sign in with a password.`)
  if (on === 'oauth' && !domain.servesOAuth) {
    throw new Unauthorized(`Single sign-on to the OAuth provider is not enabled for ${domain.title}.`)
  }
  return domain
}

async function proveHere(
  { db, config }: Services,
  request: FastifyRequest,
  domain: SignInDomain,
  { userName, password }: SsoRequest,
): Promise<Identity> {
  const way = wayOf(domain)
  if (way.needs !== 'credentials') throw new Error('this domain proves nobody here')
  if (userName === undefined || password === undefined) {
    throw new Malformed(`${domain.title} needs identity_username and secret_password.`)
  }
  const attempt = { account: `${domain.id} ${userName.slice(0, 320)}`, address: request.ip }
  await refuseIfThrottled(db, attempt)
  const identity = await way.prove(domain, { userName, password, address: request.ip })
  if (!identity) {
    await countFailure(db, attempt, config.loginAddressPerMinute)
    request.log.info({ address: request.ip, domain: domain.id }, 'sign-in refused')
    throw new Unauthorized('The user name or the password is wrong.')
  }
  await clearFailures(db, attempt)
  return identity
}

async function signedIn(
  services: Services,
  request: FastifyRequest,
  domain: SignInDomain,
  identity: Identity,
  on: SessionInterface,
  target: string | undefined,
  visited: boolean,
): Promise<SsoResult> {
  const person = await inTransaction(services.db, async (trx) =>
    openSession(trx, services, await admitPerson(trx, domain, identity), on),
  )
  if (!person) throw new Unauthorized('This user or their login domain is disabled.')
  request.log.info({ user: person.userId, address: request.ip, domain: domain.id }, 'signed in')
  return { kind: 'signedIn', person, domain, finalUrl: target, visited }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressFor, publicAddress } from '../address.ts'
import { FaultError } from '../fault.ts'
import { allowedFinalUrl } from '../login/final-url.ts'
import { redirect, sendPage } from '../login/page.ts'
import type { SignedIn } from '../login/tokens.ts'
import { isValidFor, type LoginDomainRow, readLoginDomains } from '../login-domains/store.ts'
import type { Services } from '../services.ts'
import { alreadySignedInPage, loginPage } from './login-page.ts'
import { issueOAuthToken, oauthPerson } from './tokens.ts'

/** Where somebody who has signed in goes on. */
export interface Onward {
  person: SignedIn
  finalUrl: string | undefined
}

/** Sets the cookie, and sends whoever has signed in on to where they were going or to a page that says so. */
export function sendOn(services: Services, reply: FastifyReply, { person, finalUrl }: Onward): FastifyReply {
  issueOAuthToken(reply, services, person)
  return redirect(reply, finalUrl ?? '/oauth/login/')
}

/** The same for a browser; a program that is going nowhere is told who it is. */
export function answerSignedIn(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  onward: Onward,
): FastifyReply {
  return onward.finalUrl || isBrowser(request)
    ? sendOn(services, reply, onward)
    : reply.send(issueOAuthToken(reply, services, onward.person))
}

/** Shows the login page, or who is signed in already. */
export async function showLoginPage(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  given: string | undefined,
): Promise<FastifyReply> {
  const target = allowedTarget(services, request, given)
  const person = await oauthPerson(services, request).catch(ifFault(() => undefined))
  if (person) return sendPage(reply, alreadySignedInPage(person.userName))
  return sendPage(reply, loginPage({ domains: await shownDomains(services, request), finalUrl: target }))
}

/** Does the work; when it is refused, a browser sees the login page again with the reason. */
export function orLoginPage(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  given: string | undefined,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const refused = async (fault: FaultError) => {
    if (fault.status >= 500) request.log.error({ err: fault }, 'request failed')
    const finalUrl = attempt(() => allowedTarget(services, request, given))
    const page = { domains: await shownDomains(services, request), finalUrl, fault }
    return sendPage(reply.code(fault.status).headers(fault.headers), loginPage(page))
  }
  return isBrowser(request) ? work().catch(ifFault(refused)) : work()
}

/** @throws Malformed for an address that is not allowed */
export function allowedTarget({ config }: Services, request: FastifyRequest, given: string | undefined) {
  const base = addressFor(request, publicAddress(config, 'oauth'))
  return given ? allowedFinalUrl(given, base, config.finalUrlHosts) : undefined
}

async function shownDomains({ db }: Services, { hostname }: FastifyRequest): Promise<LoginDomainRow[]> {
  const rows = await readLoginDomains(db)
  return rows.filter((row) => row.enabled && (row.kind === 'local' || row.serves_oauth) && isValidFor(row, hostname))
}

/** Undefined for what is refused. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    return ifFault(() => undefined)(error)
  }
}

function ifFault<T>(answer: (fault: FaultError) => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof FaultError) return answer(error)
    throw error
  }
}

function isBrowser({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '')
}

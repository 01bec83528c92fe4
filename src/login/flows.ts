import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { cookieOf } from '../access/cookies.ts'
import { isSecure } from '../address.ts'
import type { Config } from '../config.ts'
import type { Database, SessionInterface } from '../database/tables.ts'
import { Unauthorized } from '../fault.ts'
import type { FlowSecrets } from './ways/way.ts'

const lifeSeconds = 600
const mostUnderWay = 10

/** A sign-in that goes on at a provider. */
export interface Flow {
  domainId: string
  on: SessionInterface
  secrets: FlowSecrets
  finalUrl: string | undefined
}

/** Keeps a flow until this browser, and no other, comes back with it; so many at a time, the oldest give way. */
export async function beginFlow(
  db: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
  flow: Flow,
): Promise<void> {
  await pruneFlows(db)
  const secret = randomBytes(32).toString('base64url')
  const { state, nonce, codeVerifier } = flow.secrets
  await db
    .insertInto('sign_in_flow')
    .values({
      id: digest(secret),
      domain_id: flow.domainId,
      interface: flow.on,
      state,
      nonce,
      code_verifier: codeVerifier,
      final_url: flow.finalUrl ?? null,
    })
    .execute()
  for (const name of oldest(request, config, flow.on)) reply.clearCookie(name, attributes(config, flow.on))
  reply.setCookie(cookieName(config, flow.on, state), secret, { ...attributes(config, flow.on), maxAge: lifeSeconds })
}

/**
 * Takes the flow that the browser comes back with: once, and within ten minutes.
 * @throws Unauthorized when this browser has none of that state
 */
export async function takeFlow(
  db: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
  { domainId, on, state }: { domainId: string; on: SessionInterface; state: string },
): Promise<Flow> {
  const name = cookieName(config, on, state)
  const secret = /^[\w-]{20,128}$/.test(state) && cookieOf(request, name)
  const flow =
    secret &&
    (await db
      .deleteFrom('sign_in_flow')
      .where('id', '=', digest(secret))
      .where('domain_id', '=', domainId)
      .where('interface', '=', on)
      .where('state', '=', state)
      .where('started', '>', sql<Date>`now() - make_interval(secs => ${lifeSeconds})`)
      .returning(['nonce', 'code_verifier as codeVerifier', 'final_url as finalUrl'])
      .executeTakeFirst())
  if (!flow) throw new Unauthorized('This browser has no such sign-in under way: begin again.')
  reply.clearCookie(name, attributes(config, on))
  const { nonce, codeVerifier } = flow
  return { domainId, on, secrets: { state, nonce, codeVerifier }, finalUrl: flow.finalUrl ?? undefined }
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

// The provider sends the browser back from another site, so Lax at most.
const attributes = (config: Config, on: SessionInterface) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(config, on) }) as const

/** The cookies of flows that are too many when one more begins: browsers send the oldest first. */
function oldest({ headers }: FastifyRequest, config: Config, on: SessionInterface): string[] {
  const names = (headers.cookie ?? '').split(';').map((cookie) => cookie.split('=', 1)[0]?.trim() ?? '')
  const isFlow = new RegExp(`^${cookieName(config, on, '')}[\\w-]{8}$`)
  const flows = [...new Set(names)].filter((name) => isFlow.test(name))
  return flows.slice(0, Math.max(0, flows.length + 1 - mostUnderWay))
}

/** One for each flow, so that two tabs of a browser do not take each other's; no secret, for the state is none. */
function cookieName(config: Config, on: SessionInterface, state: string): string {
  return `${isSecure(config, on) ? '__Host-' : ''}sign-in-${state.slice(0, 8)}`
}

/** Each flow that begins removes a few that nobody came back from. */
async function pruneFlows(db: Database): Promise<void> {
  await sql`delete from sign_in_flow where id in (
    select id from sign_in_flow where started < now() - make_interval(secs => ${lifeSeconds}) limit 10
    for update skip locked)`.execute(db)
}

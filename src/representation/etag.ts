import type { FastifyReply, FastifyRequest } from 'fastify'
import { PreconditionFailed } from '../fault.ts'
import { programVersion } from '../program-version.ts'
import type { Trait } from '../traits.ts'

// Strong entity tags (RFC 9110, 8.8.3): "<revision>[.<what else tells states apart>]/<representation>/<program>".
// The program is part of it because another one may write another text for the same state.

/** A read that calls `knownState` or `unlessKnown`. */
export const conditionalRead: Trait = {
  requestHeaders: {
    'If-None-Match': 'ETags of states that the client has: when it is one of them, the answer is 304.',
  },
  answerHeaders: { ETag: 'The state that was read, in this representation.' },
  statuses: { 304: 'The client has this state already.' },
}

/** A change that calls `ifMatch`. */
export const conditionalChange: Trait = {
  requestHeaders: { 'If-Match': 'ETags of states that the client has seen, in any representation, or *.' },
  statuses: { 412: 'It has changed since the state that If-Match names.' },
}

/** Refuses a change when the revision that is about to be changed is not one that the client knows. */
export type Precondition = (revision: number) => void

/**
 * The state of a thing that the client has already, in the representation it asks for (If-None-Match). `variant` is what
 * `unlessKnown` is given behind the state.
 */
export function knownState(request: FastifyRequest, variant = ''): string | undefined {
  const given = request.headers['if-none-match']
  if (given === undefined) return undefined
  const end = variant + suffix(request)
  return tagsIn(given)
    .find((tag) => tag.endsWith(end))
    ?.slice(0, -end.length)
}

/** Answers with the ETag of a state; only 304 when the client has that state already. */
export function unlessKnown(reply: FastifyReply, state: string, send: () => FastifyReply): FastifyReply {
  reply.headers({
    etag: `"${state}${suffix(reply.request)}"`,
    'cache-control': 'private, no-cache',
    vary: 'Accept, Cookie',
  })
  return knownState(reply.request) === state ? reply.code(304).send() : send()
}

/** The precondition of If-Match, which may name the state in any representation. It throws PreconditionFailed. */
export function ifMatch(request: FastifyRequest): Precondition {
  const given = request.headers['if-match']
  if (given === undefined || given.trim() === '*') return () => {}
  const revisions = tagsIn(given).map((tag) => Number.parseInt(tag, 10))
  return (revision) => {
    if (!revisions.includes(revision))
      throw new PreconditionFailed('It has changed since the state that If-Match names.')
  }
}

function suffix(request: FastifyRequest): string {
  return `/${request.answer?.name ?? ''}/${programVersion}`
}

function tagsIn(header: string): string[] {
  return [...header.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag)
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { PreconditionFailed } from '../fault.ts'
import { programVersion } from '../program-version.ts'
import type { Trait } from '../traits.ts'
import type { Answered } from './document.ts'

// Strong entity tags (RFC 9110, 8.8.3): "<revision>[.<what else tells states apart>]/<representation>/<program>".
// The program is part of it because another one may write another text for the same state.

const entityTag = /(W\/)?"([^"]*)"/g
const ownRevision = /^([^./]+)(?:\.[^/]*)?\/.*\/[^/]+$/

/** What stands between the quotation marks of a header's tags. A weak one cannot be meant where tags are compared strongly. */
function tagsIn(header: string, compare: 'strongly' | 'weakly'): string[] {
  const tags = []
  for (const [, weak, text = ''] of header.matchAll(entityTag)) if (!weak || compare === 'weakly') tags.push(text)
  return tags
}

/** What follows the state in a tag. `variant` tells answers of one state and media type apart. */
function endOfTag({ answer }: FastifyRequest, variant: string): string {
  return `/${answer?.name ?? ''}${variant}/${programVersion}`
}

/** A read that calls `knownStates` or `unlessKnown`. */
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
 * The states of a thing that the client has already, in the representation it asks for (If-None-Match). `variant` is what
 * `unlessKnown` is given. Undefined when it names none, also for `*`: `unlessKnown` knows that.
 */
export function knownStates(request: FastifyRequest, variant = ''): string[] | undefined {
  const given = request.headers['if-none-match']
  if (given === undefined) return undefined
  const end = endOfTag(request, variant)
  return tagsIn(given, 'weakly')
    .filter((tag) => tag.endsWith(end))
    .map((tag) => tag.slice(0, -end.length))
}

/**
 * Answers with the ETag of a state, `<revision>[.<rest>]`; only 304 when the client has that state already, and when there is
 * no content, because the state was among `knownStates`. `variant` tells answers of one state and media type apart.
 */
export function unlessKnown<Content>(
  reply: FastifyReply,
  state: string,
  content: Content | null,
  send: (content: Content) => Answered,
  variant = '',
): Answered {
  const { request } = reply
  const etag = `"${state}${endOfTag(request, variant)}"`
  reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'Accept, Cookie' })
  const given = request.headers['if-none-match']
  // A tag holds no quotation mark but its own two: nowhere else in a list can its text stand.
  const isKnown = given !== undefined && (given.includes(etag) || given.trim() === '*')
  return isKnown || content === null ? reply.code(304).send() : send(content)
}

/** The precondition of If-Match, which may name the state in any representation. It throws PreconditionFailed. */
export function ifMatch(request: FastifyRequest): Precondition {
  const given = request.headers['if-match']
  if (given === undefined || given.trim() === '*') return () => {}
  const revisions = tagsIn(given, 'strongly').map((tag) => ownRevision.exec(tag)?.[1])
  return (revision) => {
    if (!revisions.includes(String(revision)))
      throw new PreconditionFailed('It has changed since the state that If-Match names.')
  }
}

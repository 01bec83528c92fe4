import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isCrowdedOut, isDatabaseUnavailable, isOneTooManyLarge, isTooSlow } from '../database/errors.ts'
import { Fault, FaultError, faultBody, NotFound, RequestTooLarge, Unavailable, UnsupportedMediaType } from '../fault.ts'
import type { Services } from '../services.ts'
import { jsonAndXml, type MediaType, mediaTypesOf } from './media-types.ts'
import { negotiate } from './negotiate.ts'
import { nodeOf } from './schema.ts'
import { xmlWriter } from './xml-write.ts'
import { writeYaml } from './yaml-write.ts'

// A calendar has no place for a fault.
const writers = { json: JSON.stringify, xml: xmlWriter('Fault', nodeOf(Fault)), yaml: writeYaml }
/** Types that faults alone have, for whoever lists them in Accept. */
export const problemTypes: readonly MediaType[] = (['json', 'xml'] as const).map((format) => ({
  name: `application/problem+${format}`,
  format,
  version: undefined,
  contentType: `application/problem+${format}; charset=utf-8`,
}))

/** The one door by which errors leave: every error of every route becomes a Fault in the representation asked for. */
export const faults = fp(async (app: FastifyInstance, { vendor, config }: Services) => {
  const all = mediaTypesOf(jsonAndXml, vendor)

  app.setErrorHandler((error: FastifyError | FaultError, request, reply) =>
    sendFault(faultOf(error, request), error, request, reply),
  )
  // Before a body is read: whatever it is, the path is what is wrong.
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? noOperation(request) : undefined))

  function faultOf(error: FastifyError | FaultError, { headers, routeOptions }: FastifyRequest): FaultError {
    if (error instanceof FaultError) return error
    const status = 'statusCode' in error ? error.statusCode : undefined
    if (status === 413) return tooLarge(headers['content-type'], routeOptions.bodyLimit)
    if (status === 415)
      return new UnsupportedMediaType('The Content-Type is not a media type that this operation takes.')
    if (status !== undefined && status >= 400 && status < 500)
      return new FaultError(status, 'Malformed', sentence(error))
    // Behind the client's own faults: a client that hangs up breaks a connection too.
    if (isCrowdedOut(error)) return new Unavailable('Others are changing the same at this moment: try again.', error)
    if (isOneTooManyLarge(error)) return new Unavailable('Too many large changes are under way: try again.', error)
    if (isTooSlow(error)) return new Unavailable('The database took too long: try again.', error)
    if (isDatabaseUnavailable(error)) return new Unavailable('The database is not available: try again.', error)
    return new FaultError(500, 'InternalError', 'An error occurred processing the call.', { cause: error })
  }

  function tooLarge(type = '', ofRoute = Number.POSITIVE_INFINITY): RequestTooLarge {
    const most = /json\b/i.test(type) ? config.jsonBodyLimit : /xml\b/i.test(type) ? config.xmlBodyLimit : undefined
    const limit = most === undefined ? '' : `: ${Math.min(most, ofRoute)} bytes at most`
    return new RequestTooLarge(`The body is larger than this operation takes${limit}.`)
  }

  function sendFault(fault: FaultError, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (fault.status >= 500) request.log.error({ err: error }, 'request failed')
    // A client that sends all before it reads would not hear of it if the connection closed; Node drops the rest.
    if (fault.status === 413) reply.removeHeader('connection')
    const mediaType = representationOf(request)
    const body = faultBody(fault, request.id)
    // The ETag is of what would have been answered.
    return reply
      .code(fault.status)
      .headers(fault.headers)
      .removeHeader('etag')
      .header('vary', 'Accept')
      .header('content-type', mediaType.contentType)
      .serializer(() => writers[mediaType.format as keyof typeof writers](body))
      .send(body)
  }

  function representationOf(request: FastifyRequest): MediaType {
    const accept = request.headers.accept
    const problem =
      accept && isProblem(accept) ? negotiate(problemsFirst(accept), [...problemTypes, ...all]) : undefined
    if (problem && problemTypes.includes(problem)) return problem
    const { answer } = request
    const isOfNoUse = answer?.format === 'calendar' || answer?.empty
    return (isOfNoUse ? undefined : answer) ?? negotiate(accept, all) ?? (all[0] as MediaType)
  }
})

function isProblem(accept: string): boolean {
  return /problem\+/i.test(accept)
}

/** Puts types of faults before what has the same q: many clients list them last, though nowhere else are they of use. */
function problemsFirst(accept: string): string {
  const ranges = accept.split(',')
  return [...ranges.filter(isProblem), ...ranges.filter((range) => !isProblem(range))].join(',')
}

function noOperation(request: FastifyRequest): NotFound {
  return new NotFound(`There is no operation at ${request.method} ${pathOf(request)}.`)
}

function sentence({ message }: Error): string {
  return message.endsWith('.') ? message : `${message}.`
}

function pathOf(request: FastifyRequest): string {
  return JSON.stringify(request.url.split('?', 1)[0]?.slice(0, 200))
}

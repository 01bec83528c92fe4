import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyHttpOptions, FastifyReply, RawServerDefault } from 'fastify'
import type { Config } from './config.ts'
import { FaultError, faultBody } from './fault.ts'

const overflow = 'HPE_HEADER_OVERFLOW'
const timeout = 'ERR_HTTP_REQUEST_TIMEOUT'

/** How long and how large a request may be, and what a broken one is answered before any route is known. */
export function limits(config: Config): FastifyHttpOptions<RawServerDefault> {
  const requestTimeout = config.requestTimeoutSeconds * 1000
  return {
    requestTimeout,
    // Node checks only so often, and takes the larger of the two limits for the body unless headers have their own.
    http: {
      headersTimeout: Math.min(requestTimeout, 10_000),
      connectionsCheckingInterval: Math.min(requestTimeout / 4, 2000),
    },
    keepAliveTimeout: 72_000,
    bodyLimit: Math.max(config.jsonBodyLimit, config.xmlBodyLimit),
    routerOptions: { maxParamLength: 512 },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      const fault = new FaultError(
        error.statusCode ?? 400,
        'Malformed',
        'The address of the request cannot be decoded.',
      )
      const answer = reply as unknown as FastifyReply
      answer.code(fault.status).type('application/json; charset=utf-8').send(faultBody(fault, request.id))
    },
  }
}

function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (socket.destroyed || error.code === 'ECONNRESET' || !socket.writable) return
  const [status, text] =
    error.code === overflow
      ? [431, 'The headers of the request are too large.']
      : error.code === timeout
        ? [408, 'The request did not arrive in time.']
        : [400, 'The request is not well-formed HTTP.']
  const body = JSON.stringify(faultBody(new FaultError(status, 'Malformed', text), randomUUID()))
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

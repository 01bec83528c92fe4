import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyHttpOptions, RawServerDefault } from 'fastify'
import { commonHeaders } from './answer-headers.ts'
import type { Config } from './config.ts'
import { FaultError, faultBody, Malformed } from './fault.ts'

const overflow = 'HPE_HEADER_OVERFLOW'
const timeout = 'ERR_HTTP_REQUEST_TIMEOUT'

/** How long and how large a request may be, and what a broken one is answered before any route is known. */
export function limits(config: Config): FastifyHttpOptions<RawServerDefault> {
  const headers = commonHeaders(config)
  const requestTimeout = config.requestTimeoutSeconds * 1000
  return {
    requestTimeout,
    // Node checks only so often, and takes the larger of the two limits for the body unless headers have their own.
    http: {
      headersTimeout: Math.min(requestTimeout, 10_000),
      connectionsCheckingInterval: Math.min(requestTimeout / 4, 2000),
      // Node answers a missing Host without a body, and drops a second one.
      requireHostHeader: false,
      joinDuplicateHeaders: true,
    },
    // Between two requests: longer than proxies mostly keep their side (60 s).
    keepAliveTimeout: 72_000,
    // What still comes on old connections while the service stops is answered like everything else, and the last there.
    return503OnClosing: false,
    bodyLimit: Math.max(config.jsonBodyLimit, config.xmlBodyLimit),
    // Longer than any address that the headers' limit lets pass: an id of any length is looked for like every other.
    routerOptions: { maxParamLength: 65_536 },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, headers),
    // No hook runs for an address that cannot be decoded.
    frameworkErrors: (_error, request, reply) => {
      reply.headers(headers)
      request.server.errorHandler(new Malformed('The address of the request cannot be decoded.'), request, reply)
    },
  }
}

function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  if (socket.destroyed || error.code === 'ECONNRESET' || !socket.writable) return
  const [status, text] =
    error.code === overflow
      ? [431, 'The headers of the request are too large.']
      : error.code === timeout
        ? [408, 'The request did not arrive in time.']
        : [400, 'The request is not well-formed HTTP.']
  const body = JSON.stringify(faultBody(new FaultError(status, 'Malformed', text), randomUUID()))
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  // A client that never closes its side would keep the connection, and the request, for ever.
  setTimeout(() => socket.destroy(), 1000).unref()
}

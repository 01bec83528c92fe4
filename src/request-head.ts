import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { FaultError } from './fault.ts'
import { remembering } from './remembering.ts'

const host = /^(?:(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d*)?)?$/i

/** Refuses, whatever its path, a request that does not tell where it was sent, or expects what cannot be met. */
export const requestHead = fp(async (app: FastifyInstance) => {
  // Node's own refusal has no body.
  app.server.on('checkExpectation', (request, reply) => app.server.emit('request', request, reply))
  app.addHook('onRequest', (request, _reply, done) => {
    done(wrongHost(request) ?? wrongScheme(request) ?? wrongExpectation(request) ?? wrongCoding(request))
  })
})

/** Whether a text names a host, perhaps with its port, to which an address can lead; the empty one names none. */
const isHost = remembering((text) => text === '' || (host.test(text) && URL.canParse(`http://${text}`)))

/** HTTP/1.1 needs one Host (RFC 9112, 3.2); more than one arrive joined. A proxy may name another. */
function wrongHost(request: FastifyRequest): FaultError | undefined {
  const { httpVersion, headers } = request.raw
  if (headers.host === undefined && httpVersion === '1.1') return closing(400, 'Malformed', 'A Host header is needed.')
  if (isHost(headers.host ?? '') && isHost(request.host)) return undefined
  return closing(400, 'Malformed', 'The Host header must name one host, and perhaps its port.')
}

/** Addresses in answers begin with the scheme, which a proxy may have passed on from anybody. */
function wrongScheme({ protocol }: FastifyRequest): FaultError | undefined {
  if (/^https?$/i.test(protocol)) return undefined
  return closing(400, 'Malformed', 'X-Forwarded-Proto must name http or https.')
}

/** A body may or may not follow. */
function wrongExpectation({ headers: { expect } }: FastifyRequest): FaultError | undefined {
  if (expect === undefined || /(?:^|\W)100-continue(?:$|\W)/i.test(expect)) return undefined
  return closing(417, 'ExpectationFailed', 'No expectation but 100-continue can be met.')
}

/** Bodies come as they are or in chunks (RFC 9112, 6.1). */
function wrongCoding({ headers: { 'transfer-encoding': coding } }: FastifyRequest): FaultError | undefined {
  if (coding === undefined || coding.trim().toLowerCase() === 'chunked') return undefined
  return closing(501, 'NotImplemented', 'No Transfer-Encoding but chunked is read.')
}

function closing(status: number, code: string, text: string): FaultError {
  return new FaultError(status, code, text, { headers: { Connection: 'close' } })
}

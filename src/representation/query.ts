import type { onRequestHookHandler } from 'fastify'
import { Malformed } from '../fault.ts'
import { decodeOnce } from '../percent-encoding.ts'

/** Refuses a query that is not percent-encoded UTF-8: it would be read as other text than was meant. */
export const decodableQuery: onRequestHookHandler = ({ url }, _reply, done) => {
  const query = url.indexOf('?')
  done(
    query === -1 || !url.includes('%', query) || decodeOnce(url.slice(query)) !== undefined ? undefined : undecodable(),
  )
}

function undecodable(): Malformed {
  return new Malformed('The query of the address cannot be decoded: it must be percent-encoded UTF-8.')
}

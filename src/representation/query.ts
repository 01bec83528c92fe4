import type { onRequestHookHandler } from 'fastify'
import { Malformed } from '../fault.ts'

/** Refuses a query that is not percent-encoded UTF-8: it would be read as other text than was meant. */
export const decodableQuery: onRequestHookHandler = ({ url }, _reply, done) => {
  const query = url.indexOf('?')
  done(query === -1 || !url.includes('%', query) || isDecodable(url.slice(query)) ? undefined : undecodable())
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function undecodable(): Malformed {
  return new Malformed('The query of the address cannot be decoded: it must be percent-encoded UTF-8.')
}

import type { IncomingMessage } from 'node:http'

// A member's name with an escape in it is none that an operation knows.
const json = /^\s*\{\s*"([^"\\]*)"/
const xml = /^\s*(?:<[?!][^>]*>\s*)*<(?:[\w.-]+:)?([\w.-]+)[\s/>]/
const longest = 1024

/**
 * Tells what a body begins with, as soon as that is there: the first member of a JSON object, or the root of an XML
 * document; the empty text where that is neither. The whole body is still to be read.
 */
export function firstName(request: IncomingMessage, tell: (name: string) => void): void {
  const read: Buffer[] = []

  function look(): void {
    // At the end, reading on would end the body for who reads it.
    if (request.readableLength > 0) read.push(request.read())
    const bytes = Buffer.concat(read)
    const beginning = bytes.toString('utf8', 0, longest)
    const name = (json.exec(beginning) ?? xml.exec(beginning))?.[1]
    if (name === undefined && bytes.length < longest && !request.complete) {
      request.once('readable', look)
      return
    }
    if (bytes.length > 0) request.unshift(bytes)
    tell(name ?? '')
  }
  request.once('readable', look)
}

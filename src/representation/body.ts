import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Malformed } from '../fault.ts'
import { nodeOf } from './schema.ts'
import { readXml } from './xml-read.ts'

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Malformed('The body is not well-formed UTF-8.')
  return bytes.toString('utf8')
}

/** An empty body is no body; whether one is needed is for the route's schema to say. */
export async function parseJson(_request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) return undefined
  try {
    return JSON.parse(decode(bytes))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // The parser's own text quotes the body, which may hold a password.
    const place = /position \d+/.exec(error.message)?.[0]
    throw new Malformed(`The body is not well-formed JSON${place ? ` (at ${place})` : ''}.`)
  }
}

export async function parseXml(request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  const schema = request.routeOptions.schema?.body as TSchema | undefined
  if (bytes.length === 0 || !schema) return undefined
  return readXml(decode(bytes), nodeOf(schema))
}

/** The form operations read their form elsewhere or take an empty one. */
export async function parseForm(_request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) return undefined
  const form = decode(bytes)
  for (const [encoded] of form.matchAll(/(?:%[\da-f]{2})+/gi)) {
    // URLSearchParams would put U+FFFD in place of other bytes, in a password too.
    if (!isUtf8(Buffer.from(encoded.replaceAll('%', ''), 'hex'))) {
      throw new Malformed('The form is not well-formed: what it percent-encodes is not UTF-8.')
    }
  }
  return Object.fromEntries(new URLSearchParams(form))
}

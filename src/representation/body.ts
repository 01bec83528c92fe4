import { isUtf8 } from 'node:buffer'
import type { FastifyRequest, preValidationHookHandler } from 'fastify'
import type { TSchema } from 'typebox'
import { invalidMember, Malformed } from '../fault.ts'
import { escapeToken } from './coerce.ts'
import { nodeOf } from './schema.ts'
import { readXml } from './xml-read.ts'

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Malformed('The body is not well-formed UTF-8.')
  return bytes.toString('utf8')
}

/** The hook of operations that take a form: one without fields is empty, and so not read at all. */
export const emptyForm: preValidationHookHandler = (request, _reply, done) => {
  request.body ??= {}
  done()
}

/** An empty body is no body; whether one is needed is for the route's schema to say. */
export async function parseJson(_request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) return undefined
  const text = decode(bytes)
  if (bytes.length > shortEnough) refuseDeep(bytes)
  if (text.startsWith(byteOrderMark)) throw new Malformed('The body begins with a byte order mark, which JSON has not.')
  try {
    return JSON.parse(text)
  } catch (error) {
    // The parser's own text quotes the body, which may hold a password.
    const place = placeOf((error as Error).message, text)
    throw new Malformed(`The body is not well-formed JSON${place === undefined ? '' : ` (at position ${place})`}.`)
  }
}

const byteOrderMark = '\ufeff'
const deepest = 64
// A body of this length is read soon, however it nests.
const shortEnough = 65_536
const [quote, backslash] = [0x22, 0x5c]

/** Refuses what nests without end, which takes the parser long. */
function refuseDeep(bytes: Buffer): void {
  let depth = 0
  let isInString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === quote) isInString = !isInString
    else if (isInString) {
      if (byte === backslash) at++
    } else {
      // [ and {, ] and } differ in one bit.
      const bracket = byte | 0x20
      if (bracket === 0x7b && ++depth > deepest) throw new Malformed(`The body nests deeper than ${deepest}.`)
      if (bracket === 0x7d) depth--
    }
  }
}

const unexpected = 'Unexpected token'
const longestSearched = 65_536

/** Where the JSON parser failed. Of an unexpected token it does not tell: the shortest beginning that has it ends there. */
function placeOf(message: string, text: string): number | undefined {
  if (message.startsWith('Unexpected end')) return text.length
  if (!message.startsWith(unexpected)) {
    const told = /at position (\d+)/.exec(message)?.[1]
    return told === undefined ? undefined : Number(told)
  }
  if (text.length > longestSearched) return undefined
  let [before, behind] = [0, text.length]
  while (behind - before > 1) {
    const middle = (before + behind) >>> 1
    if (failure(text.slice(0, middle)).startsWith(unexpected)) behind = middle
    else before = middle
  }
  return before
}

function failure(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

export async function parseXml(request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) return undefined
  return readXml(decode(bytes), nodeOf(request.routeOptions.schema?.body as TSchema))
}

/** Reads a form as the object of its fields. */
export async function parseForm(_request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  const form = decode(bytes)
  for (const [encoded] of form.matchAll(/(?:%[\da-f]{2})+/gi)) {
    // URLSearchParams would put U+FFFD in place of other bytes, in a password too.
    if (!isUtf8(Buffer.from(encoded.replaceAll('%', ''), 'hex'))) {
      throw new Malformed('The form is not well-formed: what it percent-encodes is not UTF-8.')
    }
  }
  const members = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(form)) {
    // Which one is meant cannot be known, as in a query.
    if (members.has(name)) throw invalidMember(`/${escapeToken(name)}`, 'occurs twice')
    members.set(name, value)
  }
  return Object.fromEntries(members)
}

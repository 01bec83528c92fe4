import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { NotAcceptable } from '../fault.ts'
import { remembering } from '../remembering.ts'
import type { Services } from '../services.ts'
import { emptyForm, parseForm, parseJson, parseXml } from './body.ts'
import { contentGuard, ignoreContent } from './content-guard.ts'
import { documents } from './document.ts'
import { formType, type MediaSet, type MediaType, mediaTypesOf } from './media-types.ts'
import { negotiate } from './negotiate.ts'
import { newerOperation } from './newer-operation.ts'
import { decodableQuery } from './query.ts'
import { nodeOf, rootOf, type SchemaNode } from './schema.ts'
import { type Shape, shapesOf } from './shapes.ts'
import { xmlWriter } from './xml-write.ts'
import { writeYaml } from './yaml-write.ts'

declare module 'fastify' {
  interface FastifySchema {
    /** Names the operation for programs; it never changes. */
    operationId?: string
    /** The domain that the operation belongs to. */
    tags?: readonly string[]
    summary?: string
    description?: string
  }
  interface FastifyContextConfig {
    /** What the operation gives, and takes when it has a body; `none` when it answers no body. */
    media?: MediaSet | 'none'
    /** Content types of an answer that is the same whatever is accepted; `media` is `none` then. */
    gives?: readonly string[]
    /** What the operation takes, where that differs from what it gives; `form` for the form content type, `file` for a form with one file, `picture` for one as it is. */
    takes?: MediaSet | 'form' | 'file' | 'picture'
  }
  interface FastifyRequest {
    /** The negotiated representation of the answer; null before it is known. */
    answer: MediaType | null
  }
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/** Bodies in and out of every route: media types, formats and validation. A route without a media set does not start. */
export const representation = fp(async (app: FastifyInstance, { config, vendor, threadFile }: Services) => {
  app.decorateRequest('answer', null)
  app.decorateRequest('shape', null)
  const { send, close } = documents(threadFile)
  app.decorateReply('document', send)
  app.addHook('onClose', close)
  const { strategy, guardBody } = newerOperation(vendor)
  app.addConstraintStrategy(strategy)

  app.removeAllContentTypeParsers()
  const parseAs = 'buffer'
  app.addContentTypeParser(/^application\/(.+\+)?json\b/i, { parseAs, bodyLimit: config.jsonBodyLimit }, parseJson)
  app.addContentTypeParser(/^(text|application)\/(.+\+)?xml\b/i, { parseAs, bodyLimit: config.xmlBodyLimit }, parseXml)
  app.addContentTypeParser(formType, { parseAs, bodyLimit: config.xmlBodyLimit }, parseForm)
  app.addContentTypeParser('*', { parseAs, bodyLimit: config.xmlBodyLimit }, async () => undefined)

  const guardContent = contentGuard(vendor)
  app.addHook('onRoute', (route) => {
    const media = route.config?.media
    if (!media) throw new Error(`${route.method} ${route.url} states no media set`)
    const offered = media === 'none' ? [] : mediaTypesOf(media, vendor)
    const negotiates = media === 'none' ? [] : negotiation(offered, writersOf(route), shapesOf(route, offered))
    route.onRequest = [route.onRequest ?? [], negotiates, decodableQuery].flat()
    if (route.schema?.body || route.config?.takes) route.preParsing = guardContent(route)
    else if (route.method !== 'GET') route.preParsing = ignoreContent
    if (route.config?.takes === 'form') route.preValidation = emptyForm
    else if (route.method === 'POST' && route.schema?.body) route.preValidation = guardBody(route)
  })
})

type Writers = Map<number, (value: unknown) => string>

/** One XML writer per status that the route declares; the root element is named by the schema. */
function writersOf(route: RouteOptions): Writers {
  const writers: Writers = new Map()
  if (route.config?.media === 'none' || !route.config?.media?.xml) return writers
  for (const [status, schema] of Object.entries((route.schema?.response ?? {}) as Record<string, SchemaNode>)) {
    const root = rootOf(schema)
    if (!root) throw new Error(`${route.method} ${route.url}: the response schema has no title to name its root`)
    writers.set(Number(status), xmlWriter(root, nodeOf(schema)))
  }
  return writers
}

function negotiation(offered: readonly MediaType[], writers: Writers, shapes: Map<MediaType, Shape>): Hook {
  const names = offered.map(({ name }) => name)
  // Who lists types of faults alone is answered as those are written.
  const choose = remembering(
    (accept) => negotiate(accept, offered) ?? negotiate(accept.replace(/\/problem\+/gi, '/'), offered),
  )

  return (request, reply, done) => {
    reply.header('vary', 'Accept')
    const mediaType = choose(request.headers.accept ?? '')
    if (!mediaType) return done(new NotAcceptable(names))
    request.answer = mediaType
    reply.header('content-type', mediaType.contentType)
    const shape = shapes.get(mediaType)
    if (shape) {
      request.shape = shape.schema
      reply.serializer(shape.write)
    } else if (mediaType.format === 'xml') reply.serializer((value: unknown) => writeXml(reply.statusCode, value))
    if (mediaType.empty) reply.serializer(() => '')
    if (mediaType.format === 'yaml') reply.serializer(writeYaml)
    done()
  }

  function writeXml(status: number, value: unknown): string {
    const write = writers.get(status)
    if (!write) throw new Error(`no XML form for status ${status}`)
    return write(value)
  }
}

import type { RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { jsonWriter } from './json-write.ts'
import { type MediaType, type MediaVersion, upToV81 } from './media-types.ts'
import { nodeOf, rootOf } from './schema.ts'
import { xmlWriter } from './xml-write.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Other schemas of the 200 answer, each from its media version on; plain types and older versions have the route's. */
    since?: Partial<Record<MediaVersion, TSchema>>
  }
  interface FastifyRequest {
    /** The schema of the 200 answer where the negotiated media version has another than the route's; else null. */
    shape: TSchema | null
  }
}

/** Another form of a 200 answer, and how it is written. */
export interface Shape {
  schema: TSchema
  write: (value: unknown) => string
}

/** The media types of a route whose 200 answers have another schema than the route's. */
export function shapesOf(route: RouteOptions, offered: readonly MediaType[]): Map<MediaType, Shape> {
  const shapes = new Map<MediaType, Shape>()
  for (const mediaType of offered) {
    const schema = newerSchema(route, mediaType)
    if (schema) shapes.set(mediaType, { schema, write: writer(schema, mediaType) })
  }
  return shapes
}

/** The schema of 200 answers of a media type, where it is another than the route's. */
export function newerSchema({ config }: RouteOptions, { version: until }: MediaType): TSchema | undefined {
  return upToV81
    .slice(0, until ? upToV81.indexOf(until) + 1 : 0)
    .flatMap((version) => config?.since?.[version] ?? [])
    .at(-1)
}

function writer(schema: TSchema, { format }: MediaType): Shape['write'] {
  const node = nodeOf(schema)
  if (format === 'xml') return xmlWriter(rootOf(node) as string, node)
  const write = jsonWriter(node)
  return (value) => (typeof value === 'string' ? value : write(value))
}

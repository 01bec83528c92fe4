import { STATUS_CODES } from 'node:http'
import type { RouteOptions } from 'fastify'
import { Fault } from '../fault.ts'
import { problemTypes } from '../representation/faults.ts'
import { jsonAndXml, type MediaSet, type MediaType, mediaTypesOf, upToV81 } from '../representation/media-types.ts'
import { nodeOf } from '../representation/schema.ts'
import { newerSchema } from '../representation/shapes.ts'
import type { Vendor } from '../vendor.ts'
import { either } from './bodies.ts'
import { faultStatuses, isUsual } from './fault-statuses.ts'
import type { Content, Header, Operation, Response } from './openapi.ts'
import type { Schemas } from './schemas.ts'

/** Writes the answers of operations; responses that several have are collected in `shared`. */
export function answers(schemas: Schemas, shared: Record<string, Response>, vendor: Vendor) {
  const everyType = mediaTypesOf(jsonAndXml, vendor)

  /** What the routes of one method and path answer, by status. */
  return function responsesOf(routes: readonly RouteOptions[]): Operation['responses'] {
    const responses: Operation['responses'] = { 200: success(routes) }
    const offered = typesOffered(routes)
    const statuses = new Map(routes.flatMap((route) => [...faultStatuses(route)]))
    for (const [status, text] of unfaulted(routes)) responses[status] = { description: text }
    for (const [status, text] of statuses) {
      responses[status] = fault(status, text, status === 406 || offered.length === 0 ? everyType : offered)
    }
    return responses
  }

  function typesOffered(routes: readonly RouteOptions[]): MediaType[] {
    const types = routes.flatMap(({ config }) => offeredTypes(config?.media, vendor))
    return [...new Map(types.map((type) => [type.name, type])).values()]
  }

  function success(routes: readonly RouteOptions[]): Response {
    const content: Record<string, Content> = {}
    const headers: Record<string, Header> = {}
    for (const route of routes) {
      for (const [name, description] of headersOf(route)) headers[name] = { description, schema: { type: 'string' } }
      const node = (route.schema?.response as Record<number, object> | undefined)?.[200]
      const { media, gives = [] } = route.config ?? {}
      for (const type of offeredTypes(media, vendor)) {
        const schema = schemas.describe(nodeOf((newerSchema(route, type) ?? node) as never), false)
        content[type.name] = { schema: either(content[type.name]?.schema ?? schema, schema) }
      }
      for (const name of gives) {
        const isJson = name.endsWith('json') && node
        content[name] = { schema: isJson ? schemas.describe(nodeOf(node as never), false) : { type: 'string' } }
      }
    }
    const hasContent = Object.keys(content).length > 0
    return {
      description: hasContent ? 'Success.' : 'Success, without a body.',
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(hasContent && { content }),
    }
  }

  function fault(status: number, description: string, types: readonly MediaType[]) {
    const schema = schemas.describe(nodeOf(Fault), false)
    const response: Response = {
      description,
      ...((status === 429 || status === 503) && { headers: { 'Retry-After': retryAfter } }),
      content: Object.fromEntries([...types, ...problemTypes].map(({ name }) => [name, { schema }])),
    }
    if (!isUsual(status, description)) return response
    const name = `${STATUS_CODES[status]?.replace(/\W/g, '')}${nameOf(types)}`
    shared[name] = response
    return { $ref: `#/components/responses/${name}` }
  }
}

const retryAfter: Header = { description: 'Seconds to wait.', schema: { type: 'string' } }

function offeredTypes(media: MediaSet | 'none' | undefined, vendor: Vendor): MediaType[] {
  return !media || media === 'none' ? [] : mediaTypesOf(media, vendor)
}

/** Such as `JsonXmlUpToV80`. */
function nameOf(types: readonly MediaType[]): string {
  const formats = [...new Set(types.map(({ format }) => format))]
  const versions = upToV81.filter((known) => types.some(({ version }) => version === known))
  const [first, last] = [versions.at(0), versions.at(-1)]
  const range = !last
    ? 'Plain'
    : versions.length === upToV81.length
      ? ''
      : first === last
        ? last
        : `UpTo${capital(last)}`
  return [...formats, range].map(capital).join('')
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function headersOf({ config = {} }: RouteOptions): [string, string][] {
  const { traits = [], media, deprecated } = config
  return [
    ...(media === 'none' ? [] : [['Vary', 'The request headers that the answer depends on.'] as [string, string]]),
    ...(deprecated ? deprecationHeaders : []),
    ...traits.flatMap(({ answerHeaders = {} }) => Object.entries(answerHeaders)),
  ]
}

const deprecationHeaders: [string, string][] = [
  ['Deprecation', 'Since when the operation is deprecated (RFC 9745); on faults too.'],
  ['Link', 'Its replacement, with rel="successor-version"; on faults too, where the path tells which it is.'],
  ['Sunset', 'When the operation goes (RFC 8594), if the operator has decided; on faults too.'],
]

function unfaulted(routes: readonly RouteOptions[]): [string, string][] {
  const own = routes.flatMap(({ config }) =>
    (config?.traits ?? []).flatMap(({ statuses = {} }) => Object.entries(statuses)),
  )
  return own.filter(([status]) => Number(status) < 400)
}

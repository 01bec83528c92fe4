import { STATUS_CODES } from 'node:http'
import type { RouteOptions } from 'fastify'
import { Fault } from '../fault.ts'
import { problemTypes } from '../representation/faults.ts'
import { jsonAndXml, type MediaSet, type MediaType, mediaTypesOf, upToV81 } from '../representation/media-types.ts'
import { nodeOf } from '../representation/schema.ts'
import { newerSchema } from '../representation/shapes.ts'
import type { Trait } from '../traits.ts'
import type { Vendor } from '../vendor.ts'
import { either } from './bodies.ts'
import { faultStatuses, isUsual } from './fault-statuses.ts'
import type { Content, Header, Operation, Response, Schema } from './openapi.ts'
import type { Schemas } from './schemas.ts'

/** Writes the answers of operations; responses that several have are collected in `shared`. */
export function answers(schemas: Schemas, shared: Record<string, Response>, vendor: Vendor) {
  const everyType = mediaTypesOf(jsonAndXml, vendor)

  /** What the routes of one method and path answer, by status. */
  return function responsesOf(routes: readonly RouteOptions[]): Operation['responses'] {
    const responses: Operation['responses'] = routes.every(onlySendsOn) ? {} : { 200: success(routes) }
    const offered = typesOffered(routes)
    const statuses = new Map(routes.flatMap((route) => [...faultStatuses(route)]))
    for (const [status, text] of unfaulted(routes)) responses[status] = { description: text }
    for (const text of traitsOf(routes).flatMap(({ redirects = [] }) => redirects)) {
      responses[302] = { description: text, headers: { Location: target, ...ownHeaders(routes) } }
    }
    const byPage = traitsOf(routes).some(({ refusesByPage }) => refusesByPage)
    for (const [status, text] of statuses) {
      const types = status === 406 || offered.length === 0 ? everyType : offered.filter(carriesFaults)
      responses[status] = fault(status, text, types, byPage && !beforeHandlers.includes(status) && status !== 500)
    }
    return responses
  }

  /** Those in which faults are written. */
  function typesOffered(routes: readonly RouteOptions[]): MediaType[] {
    const types = routes.flatMap(({ config }) => offeredTypes(config?.media, vendor))
    return [...new Map(types.map((type) => [type.name, type])).values()].filter(({ empty }) => !empty)
  }

  function success(routes: readonly RouteOptions[]): Response {
    const content: Record<string, Content> = {}
    const headers = ownHeaders(routes)
    for (const route of routes) {
      const node = (route.schema?.response as Record<number, object> | undefined)?.[200]
      const { media, gives = [] } = route.config ?? {}
      for (const type of offeredTypes(media, vendor)) {
        const isText = type.format === 'calendar'
        const described = isText ? text : schemas.describe(nodeOf((newerSchema(route, type) ?? node) as never), false)
        const schema = type.empty ? noBody : described
        content[type.name] = { schema: either(content[type.name]?.schema ?? schema, schema) }
      }
      for (const name of gives) {
        const isJson = name.endsWith('json') && node
        content[name] = { schema: isJson ? schemas.describe(nodeOf(node as never), false) : text }
      }
    }
    const hasContent = Object.keys(content).length > 0
    return {
      description: hasContent ? 'Success.' : 'Success, without a body.',
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(hasContent && { content }),
    }
  }

  function fault(status: number, description: string, types: readonly MediaType[], byPage: boolean) {
    const schema = schemas.describe(nodeOf(Fault), false)
    const response: Response = {
      description,
      ...((status === 429 || status === 503) && { headers: { 'Retry-After': retryAfter } }),
      content: {
        ...Object.fromEntries([...types, ...problemTypes].map(({ name }) => [name, { schema }])),
        ...(byPage && { 'text/html': { schema: { type: 'string' } } }),
      },
    }
    if (byPage || !isUsual(status, description)) return response
    const name = `${STATUS_CODES[status]?.replace(/\W/g, '')}${nameOf(types)}`
    shared[name] = response
    return { $ref: `#/components/responses/${name}` }
  }
}

// Of these the handler, which shows the page, hears nothing.
const beforeHandlers = [406, 413, 415]

const text: Schema = { type: 'string' }
const noBody: Schema = { type: 'string', maxLength: 0 }
const target: Header = { description: 'Where to go on, by GET.', schema: { type: 'string' } }
const retryAfter: Header = { description: 'Seconds to wait.', schema: { type: 'string' } }

/** Whether whoever succeeds is sent elsewhere. */
function onlySendsOn({ config: { media, gives, traits = [] } = {} }: RouteOptions): boolean {
  return media === 'none' && !gives && traits.some(({ redirects }) => redirects)
}

function carriesFaults({ format }: MediaType): boolean {
  return format !== 'calendar'
}

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

function traitsOf(routes: readonly RouteOptions[]): readonly Trait[] {
  return routes.flatMap(({ config }) => config?.traits ?? [])
}

function ownHeaders(routes: readonly RouteOptions[]): Record<string, Header> {
  const texts = new Map<string, string[]>()
  for (const [name, text] of routes.flatMap(headersOf)) {
    const known = texts.get(name) ?? []
    if (!known.includes(text)) texts.set(name, [...known, text])
  }
  const described = [...texts].map(([name, all]) => [name, { description: all.join(' '), schema: text }])
  return Object.fromEntries(described)
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
  [
    'Link',
    'Its replacement, with rel="successor-version"; on faults too, but where the path does not tell which it is, to its description.',
  ],
  ['Sunset', 'When the operation goes (RFC 8594), if the operator has decided; on faults too.'],
]

function unfaulted(routes: readonly RouteOptions[]): [string, string][] {
  const own = traitsOf(routes).flatMap(({ statuses = {} }) => Object.entries(statuses))
  return own.filter(([status]) => Number(status) < 400)
}

import type { RouteOptions } from 'fastify'
import { needsCsrf } from '../access/rules.ts'
import type { Config } from '../config.ts'
import { mediaTypesOf } from '../representation/media-types.ts'
import type { Vendor } from '../vendor.ts'
import type { answers } from './answers.ts'
import { requestBody } from './bodies.ts'
import type { Operation } from './openapi.ts'
import { parametersOf } from './parameters.ts'
import type { Schemas } from './schemas.ts'

export interface Names {
  config: Config
  vendor: Vendor
}

/** Describes the routes of one method and path as one operation; the first of them says its name. */
export function operation(
  routes: readonly [RouteOptions, ...RouteOptions[]],
  { config, vendor }: Names,
  schemas: Schemas,
  responsesOf: ReturnType<typeof answers>,
): Operation {
  const [route, ...newer] = routes
  const { operationId, tags, summary } = route.schema ?? {}
  const permission = route.config?.access?.permission ?? ''
  const replacement = route.config?.deprecated?.by
  const parameters = parametersOf(routes, schemas)
  const body = requestBody(routes, vendor, schemas)
  return {
    ...(operationId && { operationId }),
    ...(tags && { tags }),
    ...(summary && { summary }),
    description: paragraphs(routes, permission, vendor).join('\n\n'),
    ...(replacement && newer.length === 0 && { deprecated: true }),
    ...(replacement && { 'x-replaced-by': replacement }),
    'x-permission': permission,
    security: security(route, config),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: responsesOf(routes),
  }
}

function paragraphs(routes: readonly RouteOptions[], permission: string, vendor: Vendor): string[] {
  const [route, ...newer] = routes
  const replacement = route?.config?.deprecated?.by
  return [
    ...(route?.schema?.description ? [route.schema.description] : []),
    ...newer.map(({ schema, config }) => {
      const types = config?.media && config.media !== 'none' ? mediaTypesOf(config.media, vendor) : []
      const versioned = types.filter(({ version }) => version).map(({ name }) => name)
      return `With ${versioned.join(' or ')} as Content-Type, or a plain one together with such an Accept: ${schema?.summary}.`
    }),
    ...(replacement && newer.length === 0 ? [`Deprecated; replaced by ${replacement}.`] : []),
    ...(replacement && newer.length > 0 ? ['With any other media type it is deprecated.'] : []),
    `Permission: ${permission}`,
  ]
}

/** Which of the security schemes a call needs; an empty one is none. */
function security({ method, config: { access } = {} }: RouteOptions, config: Config): Operation['security'] {
  if (!access || access.signIn === 'anyone') return []
  const signedIn = needsCsrf(access, String(method), config) ? { token: [], csrf: [] } : { token: [] }
  return access.signIn === 'optional' ? [{}, signedIn] : [signedIn]
}

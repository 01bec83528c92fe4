import type { RouteOptions } from 'fastify'
import { programVersion } from '../program-version.ts'
import { answers } from './answers.ts'
import { requestBody } from './bodies.ts'
import type { Document, Response } from './openapi.ts'
import { type Names, operation } from './operation.ts'
import { pathOf } from './parameters.ts'
import { schemas } from './schemas.ts'
import { about } from './texts.ts'

/** Describes the routes as OpenAPI 3.1. */
export function describe(routes: readonly RouteOptions[], names: Names): Document {
  const { config, vendor } = names
  const named = schemas()
  const shared: Record<string, Response> = {}
  const responsesOf = answers(named, shared, vendor)
  for (const route of routes) requestBody([route], vendor, named)

  const paths: Document['paths'] = {}
  for (const group of grouped(routes)) {
    const [route] = group
    const path = pathOf(route)
    const method = String(route.method).toLowerCase()
    paths[path] = { ...paths[path], [method]: operation(group, names, named, responsesOf) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Platform API Management', version: programVersion, description: about },
    servers: [{ url: config.publicUrl ?? '/' }],
    paths,
    components: {
      schemas: inOrder(named.named),
      responses: inOrder(shared),
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'cookie',
          name: vendor.tokenCookie,
          description: 'The cookie that signing in sets.',
        },
        csrf: {
          type: 'apiKey',
          in: 'header',
          name: vendor.csrfHeader,
          description: `The value of the cookie ${vendor.csrfCookie}, as it was set.`,
        },
      },
    },
  }
}

type Group = [RouteOptions, ...RouteOptions[]]

/** The routes of each method and path; the older of them first. */
function grouped(routes: readonly RouteOptions[]): Group[] {
  const groups = new Map<string, Group>()
  for (const route of routes) {
    const key = `${route.method} ${route.url}`
    const group = groups.get(key)
    if (!group) groups.set(key, [route])
    else if (route.constraints) group.push(route)
    else group.unshift(route)
  }
  return [...groups.values()]
}

function inOrder<T>(members: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)))
}

import type { RouteOptions } from 'fastify'
import type { SchemaNode } from '../representation/schema.ts'
import type { Parameter } from './openapi.ts'
import type { Schemas } from './schemas.ts'

/** The path of a route as OpenAPI writes it. */
export function pathOf({ url, schema }: RouteOptions): string {
  const params = propertiesOf(schema?.params)
  return url.replace(/:(\w+)/g, '{$1}').replace('*', `{${nameOf('*', params['*'])}}`)
}

/** What the routes of one method and path look at in the path, the query and the headers. */
export function parametersOf(routes: readonly RouteOptions[], schemas: Schemas): Parameter[] {
  const found = new Map<string, Parameter>()
  for (const route of routes) {
    for (const parameter of [
      ...listed('path', route.schema?.params),
      ...listed('query', route.schema?.querystring),
      ...headersOf(route),
    ]) {
      found.set(`${parameter.in} ${parameter.name}`, parameter)
    }
  }
  return [...found.values()]

  function listed(place: 'path' | 'query', schema: unknown): Parameter[] {
    const { required = [] } = (schema ?? {}) as SchemaNode
    return Object.entries(propertiesOf(schema)).map(([key, { title, ...node }]) => {
      const { description, ...rest } = schemas.describe(node, false)
      return {
        name: nameOf(key, { title } as SchemaNode),
        in: place,
        ...((place === 'path' || required.includes(key)) && { required: true as const }),
        ...(typeof description === 'string' && { description }),
        schema: rest,
      }
    })
  }
}

function headersOf({ config }: RouteOptions): Parameter[] {
  return (config?.traits ?? []).flatMap(({ requestHeaders = {} }) =>
    Object.entries(requestHeaders).map(([name, description]) => ({
      name,
      in: 'header' as const,
      description,
      schema: { type: 'string' },
    })),
  )
}

function propertiesOf(schema: unknown): Record<string, SchemaNode> {
  return (schema as SchemaNode | undefined)?.properties ?? {}
}

/** The rest of a path is called by its title. */
function nameOf(key: string, schema: SchemaNode | undefined): string {
  return key === '*' ? (schema?.title ?? 'rest') : key
}

import type { FastifyInstance, FastifyReply, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { Type } from 'typebox'
import { anyone } from '../access/rules.ts'
import { conditionalRead, unlessKnown } from '../representation/etag.ts'
import type { Services } from '../services.ts'
import type { MadeDescription } from './made.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What the service says of itself; made when it is first asked for. */
    ownDescription: () => Promise<MadeDescription>
  }
}

const tags = ['This description']
const shared = { access: anyone, media: 'none', traits: [conditionalRead] } as const
const OpenAPI = Type.Record(Type.String(), Type.Unknown(), { title: 'OpenAPI' })

/** The service's description of itself, made of its routes. Register it before them. */
export const ownDescription = fp(async (app: FastifyInstance, services: Services) => {
  const routes: RouteOptions[] = []
  let made: Promise<MadeDescription> | undefined

  // Each GET has its HEAD, and each path its refusals; those are said of all at once.
  app.addHook('onRoute', (route) => {
    if (typeof route.method === 'string' && route.method !== 'HEAD') routes.push(route)
  })
  app.decorate('ownDescription', () => {
    made ??= import('./made.ts')
      .then(({ makeDescription }) => makeDescription(routes, services))
      .catch((error) => {
        made = undefined
        throw error
      })
    return made
  })

  app.get(
    '/openapi.json',
    {
      config: { ...shared, gives: ['application/json'] },
      schema: { operationId: 'describeAsJson', tags, summary: 'Describe the service', response: { 200: OpenAPI } },
    },
    (_request, reply) => answer(reply, 'application/json', ({ json }) => json),
  )

  app.get(
    '/openapi.yaml',
    {
      config: { ...shared, gives: ['application/yaml'] },
      schema: { operationId: 'describeAsYaml', tags, summary: 'Describe the service, as YAML' },
    },
    (_request, reply) => answer(reply, 'application/yaml', ({ yaml }) => yaml()),
  )

  app.get(
    '/docs',
    {
      config: { ...shared, gives: ['text/html'] },
      schema: { operationId: 'describeAsPage', tags, summary: 'Describe the service, as a page to read' },
    },
    async (_request, reply) => {
      // With 304 too: caches take the headers of the newest answer.
      reply.header('content-security-policy', (await app.ownDescription()).pagePolicy)
      return answer(reply, 'text/html', ({ page }) => page())
    },
  )

  async function answer(reply: FastifyReply, type: string, textOf: (made: MadeDescription) => string) {
    const description = await app.ownDescription()
    return unlessKnown(reply, description.state, description, (made) =>
      reply.type(`${type}; charset=utf-8`).send(textOf(made)),
    )
  }
})

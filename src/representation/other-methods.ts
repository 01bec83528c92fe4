import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { AccessRule } from '../access/rules.ts'
import { MethodNotAllowed } from '../fault.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Call when every operation is registered: the methods that a path does not have answer 405, OPTIONS says which it has. */
    refuseOtherMethods: () => void
  }
}

const access: AccessRule = { signIn: 'anyone', csrfExempt: true, permission: 'None.' }

/** Remembers which methods each path has, to answer the others. */
export const otherMethods = fp(async (app: FastifyInstance) => {
  const methodsByPath = new Map<string, Set<string>>()

  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    methodsByPath.set(url, methods)
  })

  app.decorate('refuseOtherMethods', () => {
    for (const [url, methods] of [...methodsByPath]) {
      const allow = [...methods, 'OPTIONS'].join(', ')
      app.route({
        method: app.supportedMethods.filter((method) => !methods.has(method)),
        url,
        config: { access, media: 'none' },
        // Before a body is read: whatever it is, the method is what is wrong.
        onRequest: async ({ method }) => {
          if (method !== 'OPTIONS') throw new MethodNotAllowed(method, allow)
        },
        handler: async (_request, reply) => reply.code(204).header('allow', allow).send(),
      })
    }
  })
})

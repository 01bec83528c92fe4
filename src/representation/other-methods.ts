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
  const routed = new Set(app.supportedMethods)
  const paths: { pattern: RegExp; allow: string }[] = []

  // Node reads more methods than are routed: a tree of routes for each would make the start slow.
  app.addHook('onRequest', ({ is404, method, url }, _reply, done) => {
    if (!is404 || routed.has(method)) return done()
    const path = url.split('?', 1)[0] as string
    const allow = paths.find(({ pattern }) => pattern.test(path))?.allow
    done(allow === undefined ? undefined : new MethodNotAllowed(method, allow))
  })

  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    methodsByPath.set(url, methods)
  })

  app.decorate('refuseOtherMethods', () => {
    // What is written out goes before parameters.
    const byPath = [...methodsByPath].sort(([a], [b]) => (a.replaceAll(':', '~') < b.replaceAll(':', '~') ? -1 : 1))
    for (const [url, methods] of byPath) {
      const allow = [...methods, 'OPTIONS'].join(', ')
      paths.push({ pattern: patternOf(url), allow })
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

function patternOf(url: string): RegExp {
  return new RegExp(`^${url.replaceAll('.', '[.]').replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`)
}

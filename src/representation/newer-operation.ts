import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, preValidationHookHandler, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { Malformed } from '../fault.ts'
import { remembering } from '../remembering.ts'
import type { Vendor } from '../vendor.ts'
import { firstName } from './first-name.ts'
import { jsonAndXml, mediaTypesOf } from './media-types.ts'
import { negotiate } from './negotiate.ts'
import { nodeOf, rootOf } from './schema.ts'

/**
 * Where two operations share a method and path, routes the newer one, which has `constraints: newer`, what names its media
 * version: a Content-Type of v81, or one that names no version together with an Accept whose best choice is v81, unless the
 * body begins as the older one's. All else is the older's.
 */
export const newer = { operation: 'v81' } as const

/** The body that an operation takes. */
interface Body {
  members: string[]
  root: string | undefined
}

interface NewerOperation {
  strategy: Strategy
  guardBody: (route: RouteOptions) => preValidationHookHandler
}

type Strategy = Parameters<FastifyInstance['addConstraintStrategy']>[0]
// The types of the framework have no word for success.
type Derived = (error: null, value: string) => void

const versions = { newer: 'v81', older: 'v80' }

/** Tells apart the operations that share a method and path; each that takes a body has to be given to `guardBody`. */
export function newerOperation(vendor: Vendor): NewerOperation {
  const bodies = { newer: new Map<string, Body>(), older: new Map<string, Body>() }
  const types = mediaTypesOf(jsonAndXml, vendor)
  const versionOf = new Map(types.map(({ name, version }) => [name, version]))
  const isAccepted = remembering((accept) => negotiate(accept, types)?.version === versions.newer)

  /** Undefined where the body decides. */
  function isMeant({ headers }: IncomingMessage): boolean | undefined {
    const name = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    const version = versionOf.get(name)
    if (version !== undefined) return version === versions.newer
    if (!isAccepted(headers.accept ?? '')) return false
    return versionOf.has(name) ? undefined : true
  }

  /** Whether the older of two operations that share a path takes a body that begins so. */
  function isOlders(name: string): boolean {
    return [...bodies.newer.keys()].some((url) => {
      const body = bodies.older.get(url)
      return body?.root === name || body?.members.includes(name)
    })
  }

  /**
   * The hook by which an operation that shares its path tells who sends the JSON body of the other how to name that one: by
   * the media version of its Content-Type. An XML body of the other has another root, and is not read at all.
   */
  function guardBody({ url, constraints, schema }: RouteOptions): preValidationHookHandler {
    const [own, other] = constraints === newer ? (['newer', 'older'] as const) : (['older', 'newer'] as const)
    const node = nodeOf(schema?.body as TSchema)
    const known = Object.keys(node.properties ?? {})
    bodies[own].set(url, { members: known, root: rootOf(node) })
    const type = `application/${vendor.mediaTree}.${versions[other]}+json`
    return ({ body }, _reply, done) => {
      const others = bodies[other].get(url)?.members
      if (!others) return done()
      const sent = Object.keys(body ?? {})
      const foreign = sent.filter((name) => others.includes(name))
      if (foreign.length === 0 || sent.some((name) => known.includes(name))) return done()
      const errors = foreign.map((name) => ({ pointer: `/${name}`, message: `is of the ${other} operation` }))
      done(new Malformed(`The body is that of the ${other} operation: name its Content-Type, such as ${type}.`, errors))
    }
  }

  const strategy = {
    name: 'operation',
    storage: () => {
      const handlers = new Map()
      return {
        get: (version) => handlers.get(version) ?? null,
        set: (version, handler) => {
          handlers.set(version, handler)
        },
      }
    },
    deriveConstraint: (request: IncomingMessage, _context: unknown, done: Derived) => {
      const isNewer = request.method === 'POST' && isMeant(request)
      if (isNewer !== undefined) done(null, isNewer ? newer.operation : '')
      else firstName(request, (name) => done(null, isOlders(name) ? '' : newer.operation))
    },
    mustMatchWhenDerived: false,
  } as Strategy

  return { strategy, guardBody }
}

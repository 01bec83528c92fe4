import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, preValidationHookHandler, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { Malformed } from '../fault.ts'
import { remembering } from '../remembering.ts'
import type { Vendor } from '../vendor.ts'
import { jsonAndXml, mediaTypesOf } from './media-types.ts'
import { negotiate } from './negotiate.ts'
import { nodeOf } from './schema.ts'

/**
 * Where two operations share a method and path, routes the newer one, which has `constraints: newer`, what names its media
 * version: a Content-Type of v81, or one that names no version together with an Accept whose best choice is v81. All else is
 * the older's.
 */
export const newer = { operation: 'v81' } as const

/**
 * Makes the hooks by which operations that share a path tell who sends the JSON body of the other how to name that one: by
 * the media version of its Content-Type. An XML body of the other has another root, and is not read at all.
 */
export function otherBodyGuards(vendor: Vendor): (route: RouteOptions) => preValidationHookHandler {
  const membersOf = { newer: new Map<string, string[]>(), older: new Map<string, string[]>() }
  const versions = { newer: 'v81', older: 'v80' }

  return ({ url, constraints, schema }) => {
    const [own, other] = constraints === newer ? (['newer', 'older'] as const) : (['older', 'newer'] as const)
    const known = Object.keys(nodeOf(schema?.body as TSchema).properties ?? {})
    membersOf[own].set(url, known)
    const type = `application/${vendor.mediaTree}.${versions[other]}+json`
    return ({ body }, _reply, done) => {
      const others = membersOf[other].get(url)
      if (!others) return done()
      const sent = Object.keys(body ?? {})
      const foreign = sent.filter((name) => others.includes(name))
      if (foreign.length === 0 || sent.some((name) => known.includes(name))) return done()
      const errors = foreign.map((name) => ({ pointer: `/${name}`, message: `is of the ${other} operation` }))
      done(new Malformed(`The body is that of the ${other} operation: name its Content-Type, such as ${type}.`, errors))
    }
  }
}

type Strategy = Parameters<FastifyInstance['addConstraintStrategy']>[0]

export function newerOperation(vendor: Vendor): Strategy {
  const types = mediaTypesOf(jsonAndXml, vendor)
  const versions = new Map(types.map(({ name, version }) => [name, version]))
  const isAccepted = remembering((accept) => negotiate(accept, types)?.version === 'v81')

  function isMeant({ headers }: IncomingMessage): boolean {
    const name = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    const version = versions.get(name)
    return version === 'v81' || (version === undefined && isAccepted(headers.accept ?? ''))
  }

  return {
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
    deriveConstraint: (request) => (request.method === 'POST' && isMeant(request) ? newer.operation : ''),
    mustMatchWhenDerived: false,
  }
}

import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, preValidationHookHandler } from 'fastify'
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
 * Makes the hook that tells who sends the body of the older operation, and has come to the newer one by Accept alone, how to
 * name the older.
 */
export function olderBodyGuard(schema: TSchema, vendor: Vendor): preValidationHookHandler {
  const { properties = {}, required = [] } = nodeOf(schema)
  const known = Object.keys(properties)
  const missing = required.map((name) => ({ pointer: `/${name}`, message: 'is required' }))
  const older = `application/${vendor.mediaTree}.v80+json`
  return ({ headers, body }, _reply, done) => {
    const isNamed = /\.v81\+/i.test(headers['content-type'] ?? '')
    const members = Object.keys(body ?? {})
    const isOlder = members.length > 0 && !members.some((name) => known.includes(name))
    if (isNamed || !isOlder) return done()
    const text = `Accept asks for the newer operation, which takes ${known.join(', ')}`
    done(new Malformed(`${text}: for the older one, name its Content-Type, such as ${older}.`, missing))
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

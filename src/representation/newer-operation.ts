import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { remembering } from '../remembering.ts'
import type { Vendor } from '../vendor.ts'
import { jsonAndXml, mediaTypesOf } from './media-types.ts'
import { negotiate } from './negotiate.ts'

/**
 * Where two operations share a method and path, routes the newer one, which has `constraints: newer`, what names its media
 * version: a Content-Type of v81, or a plain one together with an Accept whose best choice is v81. All else is the older's.
 */
export const newer = { operation: 'v81' } as const

type Strategy = Parameters<FastifyInstance['addConstraintStrategy']>[0]

export function newerOperation(vendor: Vendor): Strategy {
  const types = mediaTypesOf(jsonAndXml, vendor)
  const versions = new Map(types.map(({ name, version }) => [name, version]))
  const isAccepted = remembering((accept) => negotiate(accept, types)?.version === 'v81')

  function isMeant({ headers }: IncomingMessage): boolean {
    const name = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    const version = versions.get(name)
    return version === 'v81' || (version === undefined && versions.has(name) && isAccepted(headers.accept ?? ''))
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

import type { FastifyRequest, preParsingHookHandler, RouteOptions } from 'fastify'
import { UnsupportedMediaType } from '../fault.ts'
import type { Vendor } from '../vendor.ts'
import { parameterValue, typesTaken } from './media-types.ts'

/**
 * Makes the hooks that refuse a body of a type, charset or encoding that its operation does not take. Where two operations
 * share a method and path, the types are those of either: a type of the newer one alone does not come to the older one.
 */
export function contentGuard(vendor: Vendor): (route: RouteOptions) => preParsingHookHandler {
  const takenAt = new Map<string, string[]>()
  return ({ method, url, config = {} }) => {
    const names = takenAt.get(`${method} ${url}`) ?? []
    takenAt.set(`${method} ${url}`, names)
    names.push(...typesTaken(config, vendor).filter((name) => !names.includes(name)))
    return (request, _reply, _payload, done) => done(wrongContent(request, names))
  }
}

/** The hook of operations that take no body: whatever a client says that it sends, nobody looks at it. */
export const ignoreContent: preParsingHookHandler = ({ headers }, _reply, _payload, done) => {
  delete headers['content-type']
  done(null)
}

function wrongContent(request: FastifyRequest, names: readonly string[]): UnsupportedMediaType | null {
  const { 'content-type': contentType, 'content-encoding': encoding } = request.headers
  if (contentType === undefined) {
    const hasBody =
      Number(request.headers['content-length'] ?? 0) > 0 || request.headers['transfer-encoding'] !== undefined
    return hasBody
      ? new UnsupportedMediaType(`A Content-Type is needed; this operation takes ${names.join(', ')}.`)
      : null
  }
  const [name = '', ...parameters] = contentType.toLowerCase().split(';')
  if (!isTaken(name.trim(), names)) {
    return new UnsupportedMediaType(`${JSON.stringify(name)} is not taken; this operation takes ${names.join(', ')}.`)
  }
  const charset = parameters.map((parameter) => parameterValue(parameter, 'charset')?.replaceAll('"', '')).find(Boolean)
  if (charset && charset !== 'utf-8' && charset !== 'utf8') {
    return new UnsupportedMediaType(`The charset ${JSON.stringify(charset)} is not taken; send UTF-8.`)
  }
  if (encoding && encoding.toLowerCase() !== 'identity') {
    return new UnsupportedMediaType(
      `The Content-Encoding ${JSON.stringify(encoding)} is not taken; send the body as it is.`,
    )
  }
  return null
}

function isTaken(name: string, names: readonly string[]): boolean {
  return names.includes(name) || names.includes(name.replace(/\/.*/, '/*'))
}

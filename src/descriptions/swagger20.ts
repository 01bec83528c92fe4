import { type Address, addresses } from './addresses.ts'
import { type Described, type Description, infoOf, saidOmissions } from './described.ts'
import { type Omission, type Operation, type Parameter, readOperations } from './operations.ts'
import { pathItems } from './path-items.ts'
import { swaggerParts } from './swagger-parts.ts'

const methods = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'])
// What the format allows as host: no IPv6 address.
const host = /^[^{}/ :\\]+(?::\d+)?$/

/** Describes a version as Swagger 2.0. */
export function swagger20(described: Described): Description {
  const omissions: Omission[] = []
  const operations = readOperations(described.version.Operations.Operation, omissions)
  const paths = pathItems(operations, methods, omissions, (operation, operationId) =>
    operationObject(operation, operationId, omissions),
  )
  const document = {
    swagger: '2.0',
    info: infoOf(described, 'x-summary'),
    ...singleAddress(addresses(described, omissions), omissions),
    paths,
    ...saidOmissions(omissions),
  }
  return { document }
}

/** The first address that the format can hold; of the others those that differ from it in the scheme only. */
function singleAddress(all: Address[], omissions: Omission[]): object {
  const first = all.find((address) => host.test(address.host))
  const isSame = (address: Address) => address.host === first?.host && address.basePath === first.basePath
  for (const address of all) {
    if (!isSame(address)) omissions.push({ reason: `the endpoint ${address.url}: there is a place for one host name` })
  }
  if (!first) return {}
  const schemes = all.filter(isSame).map(({ scheme }) => scheme)
  return { host: first.host, basePath: first.basePath || '/', schemes }
}

function operationObject(operation: Operation, operationId: string, omissions: Omission[]): object {
  const { consumes, produces, hasFaults, inputs } = swaggerParts(operation, omissions)
  return {
    operationId,
    summary: operationId === operation.name ? undefined : operation.name,
    consumes: consumes.length > 0 ? consumes : undefined,
    produces: produces.length > 0 ? produces : undefined,
    parameters: inputs.length > 0 ? inputs.map(parameterObject) : undefined,
    responses: { 200: { description: 'Success.' }, default: hasFaults ? { description: 'A fault.' } : undefined },
  }
}

function parameterObject({ name, place }: Parameter): object {
  if (place === 'body') return { name, in: place, schema: {} }
  if (place === 'path') return { name, in: place, required: true, type: 'string' }
  return { name, in: place === 'form' ? 'formData' : place, type: 'string' }
}

import { addresses } from './addresses.ts'
import { type Described, type Description, omitTexts } from './described.ts'
import { type Omission, type Operation, type Parameter, readOperations } from './operations.ts'
import { pathItems } from './path-items.ts'
import { commonPath } from './paths.ts'
import { swaggerParts } from './swagger-parts.ts'
import { uniqueNames } from './unique-names.ts'

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
// The format wants an address; this one says that there is none (RFC 6761).
const noAddress = 'http://no-endpoint.invalid'

/** Describes a version as a Swagger 1.2 API declaration. */
export function swagger12(described: Described): Description {
  const { version } = described
  const omissions: Omission[] = []
  const operations = readOperations(version.Operations.Operation, omissions)
  const nickname = uniqueNames(operations.map(({ name }) => word(name)))
  const paths = pathItems(operations, methods, omissions, (operation) =>
    operationObject(operation, nickname(word(operation.name)), omissions),
  )
  const [address, ...others] = addresses(described, omissions)
  for (const { url } of others) omissions.push({ reason: `the endpoint ${url}: there is a place for one` })
  omitTexts(described, omissions)
  const document = {
    swaggerVersion: '1.2',
    apiVersion: version.Name,
    basePath: address?.url ?? noAddress,
    resourcePath: commonPath(Object.keys(paths)),
    apis: Object.entries(paths).map(([path, methods]) => ({ path, operations: Object.values(methods) })),
  }
  return { document, unsaid: omissions }
}

/** What the format allows in a nickname. */
function word(name: string): string {
  return name.replace(/\W/g, '_')
}

function operationObject(operation: Operation, nickname: string, omissions: Omission[]): object {
  const { name, method, stored } = operation
  const { consumes, produces, inputs } = swaggerParts(operation, omissions)
  return {
    method,
    nickname,
    notes: nickname === name ? undefined : name,
    type: stored.OutputContentType?.trim() ? 'string' : 'void',
    parameters: parametersOf(name, inputs, omissions),
    consumes: consumes.length > 0 ? consumes : undefined,
    produces: produces.length > 0 ? produces : undefined,
  }
}

/** In this format a name stands for one input, whatever its place, and a body is called body. */
function parametersOf(operation: string, inputs: Parameter[], omissions: Omission[]): object[] {
  const taken = new Set(inputs.filter(({ place }) => place === 'path').map(({ name }) => name))
  const parameters: object[] = []
  for (const { name: given, place } of inputs) {
    const name = place === 'body' ? place : given
    if (place !== 'path' && taken.has(name)) {
      omissions.push({ operation, reason: `its input ${JSON.stringify(given)}: the name stands for another one` })
      continue
    }
    taken.add(name)
    const description = given === name ? undefined : given
    parameters.push({ paramType: place, name, description, type: 'string', required: place === 'path' })
  }
  return parameters
}

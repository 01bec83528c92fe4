import type { Static } from 'typebox'
import { addresses } from './addresses.ts'
import { type Described, type Description, omitTexts } from './described.ts'
import { type Omission, type Operation, readOperations, type StoredOperation } from './operations.ts'
import { commonPath, pathTemplate } from './paths.ts'
import type { Swagger11 } from './schemas.ts'

type Document = Static<typeof Swagger11>
type Entry = Document['apis'][number]

const mediaTypes = ['InputContentType', 'OutputContentType', 'FaultContentType'] as const

/** Which operations to describe: those below a path, or of a name; all where these fit none. */
export interface Selection {
  path: string
  operation: string | undefined
}

/** Describes a version, or the selected operations of it, as Swagger 1.1. */
export function swagger11(described: Described, selection: Selection): Description {
  const { version } = described
  const omissions: Omission[] = []
  const operations = readOperations(selected(version.Operations.Operation, selection), omissions)
  const entries = new Map<string, Entry>()
  for (const operation of operations) {
    const { path } = operation.template
    const entry = entries.get(path) ?? { path, operations: [] }
    entry.operations.push(operationObject(operation, omissions))
    entries.set(path, entry)
  }
  const types = mediaTypes.filter((member) => operations.some(({ stored }) => stored[member]?.trim()))
  if (types.length > 0) omissions.push({ reason: `every ${types.join(', ')}: the format has no media types` })
  // The first one is named as it is, with its query.
  const [, ...others] = addresses(described, [])
  for (const { url } of others) omissions.push({ reason: `the endpoint ${url}: there is a place for one` })
  omitTexts(described, omissions)
  const [endpoint] = version.Endpoints.Endpoint
  const document: Document = {
    apiVersion: version.Name,
    apis: [...entries.values()],
    basePath: version.ProductionEndpoint ?? version.SandboxEndpoint ?? endpoint?.Uri ?? '',
    resourcePath: commonPath([...entries.keys()]),
    swaggerVersion: '1.1',
  }
  return { document, unsaid: omissions }
}

function selected(operations: StoredOperation[], { path, operation }: Selection): StoredOperation[] {
  const named = operations.filter(({ Name }) => Name === operation)
  const candidates = named.length > 0 ? named : operations
  // A row of slashes is tried from its first one only: from each, it would take the square of their number.
  const prefix = pathTemplate(`/${path.replace(/^\/+/, '')}`).path.replace(/(?<!\/)\/+$/, '')
  if (prefix === '') return candidates
  const below = candidates.filter(({ Path }) => Path !== undefined && isBelow(pathTemplate(Path).path, prefix))
  return below.length > 0 ? below : candidates
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`)
}

function operationObject(operation: Operation, omissions: Omission[]): Entry['operations'][number] {
  const { name, method, stored } = operation
  const parameters: NonNullable<Entry['operations'][number]['parameters']> = []
  for (const { name: input, place } of operation.parameters) {
    if (place === 'cookie') {
      omissions.push({ operation: name, reason: `its input ${JSON.stringify(input)}: the format has no cookies` })
      continue
    }
    parameters.push({
      allowMultiple: false,
      dataType: 'string',
      name: input,
      paramType: place,
      required: place === 'path',
    })
  }
  return {
    httpMethod: method,
    nickname: name,
    ...(parameters.length > 0 && { parameters }),
    responseClass: stored.OutputContentType?.trim() ? 'string' : 'void',
  }
}

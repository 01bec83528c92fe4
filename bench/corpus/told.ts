// biome-ignore-all lint/suspicious/noExplicitAny: the documents are of every shape.

/** What a document or a version tells of an operation. */
export interface Told {
  id: string | undefined
  method: string
  path: string
  /** Such as `query limit`, sorted; of bodies and forms nothing. */
  parameters: string[]
  /** The media types of its body, sorted. */
  takes: string[]
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const bodies = ['body', 'form', 'formData']

/** Reads the operations of Swagger 2.0 and OpenAPI; written apart from the service's own reader. */
export function toldByDocument(document: any): Told[] {
  const told: Told[] = []
  for (const [path, given] of Object.entries<any>(document.paths ?? {})) {
    if (path.startsWith('x-')) continue
    const item = { ...follow(document, given), ...given }
    for (const method of methods) {
      const operation = item[method]
      if (!operation) continue
      const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) => follow(document, each))
      const content = follow(document, operation.requestBody)?.content ?? {}
      told.push({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        parameters: listed(all.map((each) => [each.in, each.name])),
        takes: Object.keys(content).filter(Boolean).sort(),
      })
    }
  }
  return told
}

/** Reads the operations of Swagger 1.1 and 1.2. */
export function toldByDeclaration(document: any): Told[] {
  return document.apis.flatMap(({ path, operations }: any) =>
    operations.map((operation: any) => ({
      id: operation.notes ?? operation.nickname,
      method: operation.method ?? operation.httpMethod,
      path,
      parameters: listed((operation.parameters ?? []).map((each: any) => [each.paramType, each.name])),
      takes: [],
    })),
  )
}

/** Reads the operations of a version. */
export function toldByVersion(version: any): Told[] {
  return version.Operations.Operation.map(({ Name, Method, Path, Input, InputContentType = '' }: any) => ({
    id: Name,
    method: Method,
    path: Path,
    parameters: listed(Input.map((input: any) => [input.Type, input.Name])),
    takes: InputContentType.split(', ').filter(Boolean).sort(),
  }))
}

function listed(parameters: [string, string][]): string[] {
  const others = parameters.filter(([place]) => !bodies.includes(place))
  // One reader makes nothing of an empty name.
  return [...new Set(others.map(([place, name = '']) => `${place} ${name}`))].sort()
}

function follow(document: any, value: any): any {
  if (typeof value?.$ref !== 'string') return value
  const keys = decodeURIComponent(value.$ref.slice(1)).split('/').slice(1)
  const found = keys.reduce((at, key) => at?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document)
  return follow(document, found)
}

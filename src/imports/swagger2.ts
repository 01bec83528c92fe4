import type { Described, DescribedOperation } from './described.ts'
import { infoOf, tagsOf } from './info.ts'
import { inputsOf } from './inputs.ts'
import { items, member, members, memberText, type Place, text } from './place.ts'
import type { Resolve } from './references.ts'

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch'])

/** Reads Swagger 2.0. */
export function swagger2(root: Place, resolve: Resolve): Described {
  const operations: DescribedOperation[] = []
  const tags = tagsOf(root)
  for (const [path, given] of members(member(root, 'paths'))) {
    if (path.startsWith('x-')) continue
    const item = resolve(given)
    const shared = items(member(item, 'parameters'))
    for (const [method, operation] of members(item)) {
      if (!methods.has(method)) continue
      operations.push(operationOf(root, method, path, operation, shared, resolve))
      for (const tag of items(member(operation, 'tags'))) tags.push(text(tag))
    }
  }
  return { ...infoOf(root), tags, addresses: addressesOf(root), operations }
}

function operationOf(
  root: Place,
  method: string,
  path: string,
  operation: Place,
  shared: Place[],
  resolve: Resolve,
): DescribedOperation {
  const inputs = inputsOf([shared, items(member(operation, 'parameters'))], resolve, 'in')
  const types = (key: string) => items(member(operation, key) ?? member(root, key)).map(text)
  const gives = types('produces')
  const hasFaults = members(member(operation, 'responses')).some(([status]) => /^([45]|default)/.test(status))
  return {
    id: memberText(operation, 'operationId'),
    method,
    path,
    pointer: operation.pointer,
    inputs,
    takes: inputs.some(({ Type }) => Type === 'body' || Type === 'form') ? types('consumes') : [],
    gives,
    faults: hasFaults ? gives : [],
  }
}

function addressesOf(root: Place): string[] {
  const host = memberText(root, 'host')
  const basePath = memberText(root, 'basePath') ?? ''
  if (!host) return []
  const schemes = items(member(root, 'schemes')).map(text)
  // Without schemes it is the one by which the document was fetched, which is not known here.
  return (schemes.length > 0 ? schemes : ['https']).map(
    (scheme) => `${scheme}://${host}${basePath === '/' ? '' : basePath}`,
  )
}

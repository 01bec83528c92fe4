import type { Described, DescribedOperation } from './described.ts'
import { inputsOf } from './inputs.ts'
import { items, member, memberText, type Place, requiredText, text } from './place.ts'
import { Unreadable } from './unreadable.ts'

const asItIs = (place: Place) => place

/** Reads an API declaration of Swagger 1.1 or 1.2; without a title it has the name of its resource. */
export function swagger1(root: Place): Described {
  const apis = items(member(root, 'apis'))
  if (apis.length > 0 && apis.every((api) => !member(api, 'operations'))) {
    throw new Unreadable(
      'is a list of resources, whose operations are in other files, which are not fetched: send one of those',
      '/apis',
    )
  }
  const basePath = memberText(root, 'basePath')
  const info = member(root, 'info')
  return {
    name: (info && memberText(info, 'title')?.trim()) || resourceName(root) || '',
    version: memberText(root, 'apiVersion'),
    description: info && memberText(info, 'description'),
    tags: [],
    addresses: basePath === undefined ? [] : [basePath],
    operations: operationsOf(root, apis),
  }
}

function resourceName(root: Place): string | undefined {
  return memberText(root, 'resourcePath')
    ?.split('/')
    .filter((part) => part !== '' && !part.includes('{'))
    .at(-1)
}

function* operationsOf(root: Place, apis: Place[]): Generator<DescribedOperation> {
  for (const api of apis) {
    const path = requiredText(api, 'path')
    for (const operation of items(member(api, 'operations'))) yield operationOf(root, path, operation)
  }
}

function operationOf(root: Place, path: string, operation: Place): DescribedOperation {
  const inputs = inputsOf([items(member(operation, 'parameters'))], asItIs, 'paramType')
  const types = (key: string) => items(member(operation, key) ?? member(root, key)).map(text)
  const gives = types('produces')
  const faults = member(operation, 'responseMessages') ?? member(operation, 'errorResponses')
  return {
    id: memberText(operation, 'nickname'),
    // Swagger 1.2, else 1.1.
    method: memberText(operation, 'method') ?? requiredText(operation, 'httpMethod'),
    path: path.startsWith('/') ? path : `/${path}`,
    pointer: operation.pointer,
    inputs,
    takes: inputs.some(({ Type }) => Type === 'body' || Type === 'form') ? types('consumes') : [],
    gives,
    faults: items(faults).length > 0 ? gives : [],
    tags: [],
  }
}

import type { DescribedOperation } from './described.ts'
import { inputsOf } from './inputs.ts'
import { items, member, members, memberText, type Place, text } from './place.ts'
import type { Resolve } from './references.ts'

/** What formats describe alike of an operation. */
export type Outline = Pick<DescribedOperation, 'id' | 'method' | 'path' | 'pointer' | 'inputs' | 'tags'>

/** The operations below `paths`, as Swagger 2.0 and OpenAPI have them. */
export function* operationsBelow(
  root: Place,
  methods: ReadonlySet<string>,
  resolve: Resolve,
  complete: (outline: Outline, operation: Place) => DescribedOperation,
): Generator<DescribedOperation> {
  for (const [path, given] of members(member(root, 'paths'))) {
    if (path.startsWith('x-')) continue
    const item = resolve(given)
    // Members beside a $ref count as well, and before those of the same name that it leads to.
    const shared = items(member(given, 'parameters') ?? member(item, 'parameters'))
    for (const [method, operation] of new Map([...members(item), ...members(given)])) {
      if (!methods.has(method)) continue
      const inputs = inputsOf([shared, items(member(operation, 'parameters'))], resolve, 'in')
      const id = memberText(operation, 'operationId')
      const tags = items(member(operation, 'tags')).map(text)
      yield complete({ id, method, path, pointer: operation.pointer, inputs, tags }, operation)
    }
  }
}

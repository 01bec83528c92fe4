import type { DescribedOperation } from './described.ts'
import { inputsOf } from './inputs.ts'
import { items, member, members, memberText, type Place, text } from './place.ts'
import type { Resolve } from './references.ts'

/** What formats describe alike of an operation. */
export type Outline = Pick<DescribedOperation, 'id' | 'method' | 'path' | 'pointer' | 'inputs'>

/** The operations below `paths`, as Swagger 2.0 and OpenAPI have them, and the tags that they name. */
export function operationsBelow(
  root: Place,
  methods: ReadonlySet<string>,
  resolve: Resolve,
  complete: (outline: Outline, operation: Place) => DescribedOperation,
): { operations: DescribedOperation[]; tags: string[] } {
  const operations: DescribedOperation[] = []
  const tags: string[] = []
  for (const [path, given] of members(member(root, 'paths'))) {
    if (path.startsWith('x-')) continue
    const item = resolve(given)
    // Members beside a $ref count as well, and before those of the same name that it leads to.
    const shared = items(member(given, 'parameters') ?? member(item, 'parameters'))
    for (const [method, operation] of new Map([...members(item), ...members(given)])) {
      if (!methods.has(method)) continue
      const inputs = inputsOf([shared, items(member(operation, 'parameters'))], resolve, 'in')
      const outline = { id: memberText(operation, 'operationId'), method, path, pointer: operation.pointer, inputs }
      operations.push(complete(outline, operation))
      for (const tag of items(member(operation, 'tags'))) tags.push(text(tag))
    }
  }
  return { operations, tags }
}

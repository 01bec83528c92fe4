import type { Omission, Operation } from './operations.ts'
import { uniqueNames } from './unique-names.ts'

/** An operation's object, from the operation and its id in the document. */
type Write = (operation: Operation, operationId: string) => object

interface Item {
  path: string
  /** The names of the variables in its path. */
  names: string[]
  methods: Record<string, object>
}

/**
 * The `paths` of Swagger 2.0 and OpenAPI: one operation for each path and method, each with an id of its own. Paths that
 * differ in the names of variables only are one, with the names of the first. What finds no place is added to `omissions`.
 */
export function pathItems(
  operations: readonly Operation[],
  methods: ReadonlySet<string>,
  omissions: Omission[],
  write: Write,
): Record<string, object> {
  const paths: Record<string, object> = {}
  const items = new Map<string, Item>()
  const holders = new Map<string, string>()
  const uniqueId = uniqueNames(operations.map(({ name }) => name))
  for (const operation of operations) {
    const { name, method, template } = operation
    const key = `${method} ${template.shape}`
    const reason = misfit(operation, methods, holders.get(key))
    if (reason) {
      omissions.push({ operation: name, reason })
      continue
    }
    holders.set(key, name)
    const item = items.get(template.shape) ?? { path: template.path, names: template.names, methods: {} }
    items.set(template.shape, item)
    paths[item.path] = item.methods
    const placed = item.path === template.path ? operation : renamed(operation, item, omissions)
    item.methods[method.toLowerCase()] = write(placed, uniqueId(name))
  }
  return paths
}

/** Why an operation finds no place, if it finds none; `holder` is the operation that its place has already. */
function misfit(
  { method, template }: Operation,
  methods: ReadonlySet<string>,
  holder: string | undefined,
): string | undefined {
  if (!methods.has(method)) return `${method} is no method of this format`
  if (/[?#]/.test(template.path)) return 'its path holds a query or fragment'
  return holder === undefined
    ? undefined
    : `${method} ${template.path} is described as ${JSON.stringify(holder)} already`
}

/** The operation with the variables of its path named as in the item. */
function renamed(operation: Operation, { path, names }: Item, omissions: Omission[]): Operation {
  const { name, template } = operation
  omissions.push({ operation: name, reason: `the names in its path ${template.path}: here it is ${path}` })
  const parameters = operation.parameters.map((parameter) =>
    parameter.place === 'path'
      ? { ...parameter, name: names[template.names.indexOf(parameter.name)] as string }
      : parameter,
  )
  return { ...operation, parameters }
}

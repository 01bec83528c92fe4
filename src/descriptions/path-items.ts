import type { Omission, Operation } from './operations.ts'
import type { PathTemplate } from './paths.ts'
import { uniqueNames } from './unique-names.ts'

/** An operation's object, from the operation and its id in the document. */
type Write = (operation: Operation, operationId: string) => object

interface Item {
  template: PathTemplate
  methods: Record<string, object>
  /** The names of its operations by method. */
  holders: Record<string, string>
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
  const uniqueId = uniqueNames(operations.map(({ name }) => name))
  for (const operation of operations) {
    const { name, method, template } = operation
    const known = items.get(template.shape)
    const reason = misfit(operation, methods, known?.holders[method])
    if (reason) {
      omissions.push({ operation: name, reason })
      continue
    }
    const item = known ?? { template, methods: {}, holders: {} }
    if (!known) {
      items.set(template.shape, item)
      paths[template.path] = item.methods
    }
    item.holders[method] = name
    const placed = item.template.path === template.path ? operation : renamed(operation, item.template, omissions)
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
function renamed(operation: Operation, { path, names }: PathTemplate, omissions: Omission[]): Operation {
  const { name, template } = operation
  omissions.push({ operation: name, reason: `the names in its path ${template.path}: here it is ${path}` })
  const parameters = operation.parameters.map((parameter) =>
    parameter.place === 'path'
      ? { ...parameter, name: names[template.names.indexOf(parameter.name)] as string }
      : parameter,
  )
  return { ...operation, parameters }
}

import type { Static } from 'typebox'
import { type InputPlace, inputPlace } from '../api-versions/input-types.ts'
import type { APIVersion } from '../api-versions/schemas.ts'
import { type PathTemplate, pathTemplate } from './paths.ts'

export type StoredOperation = Static<typeof APIVersion>['Operations']['Operation'][number]

/** Something of a version that a format cannot express; of the whole version when no operation is named. */
export interface Omission {
  operation?: string
  reason: string
}

export interface Parameter {
  name: string
  place: InputPlace
}

/** An operation as every format needs it. */
export interface Operation {
  name: string
  /** In capitals. */
  method: string
  template: PathTemplate
  /** In the order of its inputs, then the variables of the path that no input names; no two alike. */
  parameters: Parameter[]
  stored: StoredOperation
}

/** What can be described of operations; what no format can express is added to `omissions`. */
export function readOperations(given: readonly StoredOperation[], omissions: Omission[]): Operation[] {
  const operations: Operation[] = []
  // Operations of one path often stand in a row.
  let last = { path: '', template: pathTemplate('') }
  for (const stored of given) {
    const { Name: name, Method, Path } = stored
    if (Method === undefined || Path === undefined) {
      omissions.push({ operation: name, reason: `it has no ${Method === undefined ? 'Method' : 'Path'}` })
      continue
    }
    if (Path !== last.path) last = { path: Path, template: pathTemplate(Path) }
    const { template } = last
    const parameters = parametersOf(stored, template, omissions)
    operations.push({ name, method: Method.toUpperCase(), template, parameters, stored })
  }
  return operations
}

function parametersOf(
  { Name: operation, Input }: StoredOperation,
  { names, stored }: PathTemplate,
  omissions: Omission[],
): Parameter[] {
  const parameters: Parameter[] = []
  const seen = new Set<string>()
  const add = (name: string, place: InputPlace) => {
    const key = `${place} ${name}`
    if (!seen.has(key)) parameters.push({ name, place })
    seen.add(key)
  }
  for (const { Name, Type } of Input) {
    const variable = stored.indexOf(Name.trim())
    const place = Type?.trim() ? inputPlace(Type) : variable < 0 ? 'query' : 'path'
    if (place && place !== 'path') add(Name, place)
    else if (place && variable >= 0) add(names[variable] as string, place)
    else {
      const type = `is of the type ${JSON.stringify(Type)}, which is no place in a request`
      const misfit = place ? 'is not in its path' : type
      omissions.push({ operation, reason: `its input ${JSON.stringify(Name)} ${misfit}` })
    }
  }
  for (const name of names) add(name, 'path')
  return parameters
}

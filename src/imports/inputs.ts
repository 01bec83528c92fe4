import { inputPlace } from '../api-versions/input-types.ts'
import type { Input } from './described.ts'
import { memberText, type Place, requiredText } from './place.ts'
import type { Resolve } from './references.ts'
import { exact } from './texts.ts'
import { Unreadable } from './unreadable.ts'

/** Of one operation. */
export const mostInputs = 1000

export function input(name: string, type: string, pointer: string): Input {
  return { Name: exact(name, 255, pointer), Type: type }
}

/** The inputs of lists of parameters; of two with the same name and type the later one counts. */
export function inputsOf(lists: Place[][], resolve: Resolve, typeMember: 'in' | 'paramType'): Input[] {
  const found = new Map<string, Input>()
  for (const parameter of lists.flat().map(resolve)) {
    const given = requiredText(parameter, typeMember)
    const type = inputPlace(given)
    if (!type)
      throw new Unreadable(
        'is none of path, query, header, cookie, body and form',
        `${parameter.pointer}/${typeMember}`,
      )
    // Swagger 1 lets a body have no name.
    const name = type === 'body' ? (memberText(parameter, 'name') ?? 'body') : requiredText(parameter, 'name')
    found.set(`${type} ${name}`, input(name, type, `${parameter.pointer}/name`))
  }
  return [...found.values()]
}

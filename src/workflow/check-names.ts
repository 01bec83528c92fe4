import type { Standing } from '../access/entitlement.ts'
import type { InputError } from '../fault.ts'
import type { WorkflowDocument } from './schemas.ts'

const standings: readonly Standing[] = ['APIAdmin', 'BusinessAdmin', 'SiteAdmin']

export function isStanding(word: string): word is Standing {
  return (standings as readonly string[]).includes(word)
}

/** What is wrong with the names of states and actions. */
export function checkNames({ State, Action }: WorkflowDocument): InputError[] {
  const first = new Map<string, number>()
  const ofStates = State.flatMap(({ Name }, place) => {
    const pointer = `/State/${place}/Name`
    const before = first.get(Name)
    if (before !== undefined) return [{ pointer, message: `is the name of /State/${before} too` }]
    first.set(Name, place)
    return /^[\w.-]+$/.test(Name)
      ? []
      : [{ pointer, message: 'must be of the letters A to Z, digits, ".", "_" and "-"' }]
  })
  const ofActions = Action.flatMap(({ Name }, place) => {
    const pointer = `/Action/${place}/Name`
    if (Name.startsWith('@'))
      return [{ pointer, message: 'must not begin with @, which the service keeps for its own' }]
    return /^[^\p{C}\p{Z}]+( [^\p{C}\p{Z}]+)*$/u.test(Name)
      ? []
      : [{ pointer, message: 'must be words with one blank between them, without control characters' }]
  })
  return [...ofStates, ...ofActions]
}

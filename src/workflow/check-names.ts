import type { Standing } from '../access/entitlement.ts'
import type { InputError } from '../fault.ts'
import type { WorkflowDocument } from './schemas.ts'

const standings: readonly Standing[] = ['APIAdmin', 'BusinessAdmin', 'SiteAdmin']

export function isStanding(word: string): word is Standing {
  return (standings as readonly string[]).includes(word)
}

/** What is wrong with the names of states and actions. */
export function* checkNames({ State, Action }: WorkflowDocument): Generator<InputError> {
  const first = new Map<string, number>()
  for (const [place, { Name }] of State.entries()) {
    const pointer = `/State/${place}/Name`
    const before = first.get(Name)
    if (before === undefined) first.set(Name, place)
    if (before !== undefined) yield { pointer, message: `is the name of /State/${before} too` }
    else if (!/^[\w.-]+$/.test(Name))
      yield { pointer, message: 'must be of the letters A to Z, digits, ".", "_" and "-"' }
  }
  for (const [place, { Name }] of Action.entries()) {
    const pointer = `/Action/${place}/Name`
    if (Name.startsWith('@')) yield { pointer, message: 'must not begin with @, which the service keeps for its own' }
    else if (!/^[^\p{C}\p{Z}]+( [^\p{C}\p{Z}]+)*$/u.test(Name))
      yield { pointer, message: 'must be words with one blank between them, without control characters' }
  }
}

import { type InputError, Malformed } from '../fault.ts'
import { checkNames, isStanding } from './check-names.ts'
import { reached, reversed, type Ways } from './reach.ts'
import type { WorkflowBody, WorkflowDocument } from './schemas.ts'

/** The one action that makes a version. */
export const initialAction = '@Create'
// An action counts once for each state that it leads from.
const mostWays = 5000

/**
 * Everything that is wrong with a workflow, by place; nothing for one that can be put in place. It takes time in proportion
 * to the document.
 * @throws Malformed when actions lead from too many states altogether.
 */
export function checkWorkflow(workflow: WorkflowBody): InputError[] {
  const { State, Action } = workflow
  const total = Action.reduce((sum, { From }) => sum + From.length, 0)
  if (total > mostWays) {
    throw new Malformed(`/Action must lead from ${mostWays} states altogether at most, not from ${total}.`)
  }
  const places = new Map(State.map(({ Name }, place) => [Name, place] as const).reverse())
  return [
    ...checkNames(workflow),
    ...checkInitial(workflow, places),
    ...checkActions(workflow, places),
    ...checkWays(workflow, places),
    ...checkMapping(workflow, places),
  ]
}

/** The first place of each name. */
type Places = ReadonlyMap<string, number>

const unknownState = 'names a state that the workflow does not have'

function checkInitial({ InitialAction }: WorkflowDocument, places: Places): InputError[] {
  const pointer = '/InitialAction'
  if (!InitialAction) {
    return [{ pointer, message: `is missing: it has to say to which state ${initialAction} leads` }]
  }
  const { Name, To } = InitialAction
  return [
    ...(Name === initialAction
      ? []
      : [{ pointer: `${pointer}/Name`, message: `must be ${initialAction}, the only action that makes a version` }]),
    ...(places.has(To) ? [] : [{ pointer: `${pointer}/To`, message: unknownState }]),
  ]
}

function checkActions({ Action }: WorkflowDocument, places: Places): InputError[] {
  // By name and state.
  const taken = new Map<string, number>()
  return Action.flatMap(({ Name, From, To, Who }, number) => {
    const pointer = `/Action/${number}`
    const errors: InputError[] = []
    if (From.length === 0) errors.push({ pointer: `${pointer}/From`, message: 'names no state: it can never be taken' })
    for (const [place, state] of From.entries()) {
      const at = `${pointer}/From/${place}`
      if (!places.has(state)) errors.push({ pointer: at, message: unknownState })
      const key = JSON.stringify([Name, state])
      const other = taken.get(key)
      if (other === undefined) taken.set(key, number)
      else errors.push({ pointer: at, message: `is a state that /Action/${other}, of the same name, leads from too` })
    }
    if (!places.has(To)) errors.push({ pointer: `${pointer}/To`, message: unknownState })
    if (Who.length === 0) errors.push({ pointer: `${pointer}/Who`, message: 'is empty: nobody may take the action' })
    for (const [place, who] of Who.entries()) {
      if (isStanding(who)) continue
      errors.push({ pointer: `${pointer}/Who/${place}`, message: 'must be APIAdmin, BusinessAdmin or SiteAdmin' })
    }
    return errors
  })
}

/** Whether each state is reached, and ends: without a beginning, no state is said to be out of reach. */
function checkWays({ InitialAction, State, Action }: WorkflowDocument, places: Places): InputError[] {
  const ways: number[][] = State.map(() => [])
  for (const { From, To } of Action) {
    const target = places.get(To)
    for (const state of From) {
      const from = places.get(state)
      if (from !== undefined && target !== undefined) ways[from]?.push(target)
    }
  }
  const first = InitialAction && places.get(InitialAction.To)
  const isReached = first === undefined ? [] : reached([first], ways)
  const ends = reached(finals(ways), reversed(ways))
  return State.flatMap(({ Name }, place) => {
    if (places.get(Name) !== place) return []
    const pointer = `/State/${place}`
    return [
      ...(isReached[place] === false ? [{ pointer, message: `cannot be reached from ${initialAction}` }] : []),
      ...(ends[place] ? [] : [{ pointer, message: 'leads to no state in which a version can stay: nothing ends' }]),
    ]
  })
}

/** The states that no action leads from. */
function finals(ways: Ways): number[] {
  return ways.flatMap((targets, place) => (targets.length === 0 ? [place] : []))
}

function checkMapping({ StateMapping = [] }: WorkflowBody, places: Places): InputError[] {
  const seen = new Set<string>()
  return StateMapping.flatMap(({ From, To }, number) => {
    const pointer = `/StateMapping/${number}`
    const isSecond = seen.has(From)
    seen.add(From)
    return [
      ...(isSecond ? [{ pointer: `${pointer}/From`, message: 'is mapped already' }] : []),
      ...(places.has(From)
        ? [{ pointer: `${pointer}/From`, message: 'is a state of this workflow: versions stay in it' }]
        : []),
      ...(places.has(To) ? [] : [{ pointer: `${pointer}/To`, message: unknownState }]),
    ]
  })
}

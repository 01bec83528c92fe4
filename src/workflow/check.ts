import { type InputError, Malformed } from '../fault.ts'
import { checkNames, isStanding } from './check-names.ts'
import { reachableFrom, reversed, type Transitions } from './reach.ts'
import type { WorkflowBody, WorkflowDocument } from './schemas.ts'

/** The one action that makes a version. */
export const initialAction = '@Create'
/** A workflow with more findings than these is not looked at any further. */
export const mostFindings = 100
// An action counts once for each state that it leads from.
const mostTransitions = 5000

/**
 * What is wrong with a workflow, by place; nothing for one that can be put in place. Of very many findings it gives the
 * first ones, with one more that says so. It takes time in proportion to the document.
 * @throws Malformed when actions lead from too many states altogether.
 */
export function checkWorkflow(workflow: WorkflowBody): InputError[] {
  const total = workflow.Action.reduce((sum, { From }) => sum + From.length, 0)
  if (total > mostTransitions) {
    throw new Malformed(`/Action must lead from ${mostTransitions} states altogether at most, not from ${total}.`)
  }
  const findings: InputError[] = []
  for (const finding of findingsOf(workflow)) {
    if (findings.length === mostFindings) return [...findings, oneOfMore]
    findings.push(finding)
  }
  return findings
}

const oneOfMore = { pointer: '', message: `has more than ${mostFindings} findings: the others are not looked for` }

/** Each is looked for only when it is asked for. */
function* findingsOf(workflow: WorkflowBody): Generator<InputError> {
  const places = new Map(workflow.State.map(({ Name }, place) => [Name, place] as const).reverse())
  yield* checkNames(workflow)
  yield* checkInitial(workflow, places)
  yield* checkActions(workflow, places)
  yield* checkTransitions(workflow, places)
  yield* checkMapping(workflow, places)
}

/** The first place of each name. */
type Places = ReadonlyMap<string, number>

const unknownState = 'names a state that the workflow does not have'

function* checkInitial({ InitialAction }: WorkflowDocument, places: Places): Generator<InputError> {
  const pointer = '/InitialAction'
  if (!InitialAction) {
    yield { pointer, message: `is missing: it has to say to which state ${initialAction} leads` }
    return
  }
  const { Name, To } = InitialAction
  if (Name !== initialAction) {
    yield { pointer: `${pointer}/Name`, message: `must be ${initialAction}, the only action that makes a version` }
  }
  if (!places.has(To)) yield { pointer: `${pointer}/To`, message: unknownState }
}

function* checkActions({ Action }: WorkflowDocument, places: Places): Generator<InputError> {
  // By name and state.
  const taken = new Map<string, number>()
  for (const [number, { Name, From, To, Who }] of Action.entries()) {
    const pointer = `/Action/${number}`
    if (From.length === 0) yield { pointer: `${pointer}/From`, message: 'names no state: it can never be taken' }
    for (const [place, state] of From.entries()) {
      const at = `${pointer}/From/${place}`
      if (!places.has(state)) yield { pointer: at, message: unknownState }
      const key = JSON.stringify([Name, state])
      const other = taken.get(key)
      if (other === undefined) taken.set(key, number)
      else yield { pointer: at, message: `is a state that /Action/${other}, of the same name, leads from too` }
    }
    if (!places.has(To)) yield { pointer: `${pointer}/To`, message: unknownState }
    if (Who.length === 0) yield { pointer: `${pointer}/Who`, message: 'is empty: nobody may take the action' }
    for (const [place, who] of Who.entries()) {
      if (isStanding(who)) continue
      yield { pointer: `${pointer}/Who/${place}`, message: 'must be APIAdmin, BusinessAdmin or SiteAdmin' }
    }
  }
}

/** Whether each state is reached, and ends: without a beginning, no state is said to be out of reach. */
function* checkTransitions({ InitialAction, State, Action }: WorkflowDocument, places: Places): Generator<InputError> {
  const transitions: number[][] = State.map(() => [])
  for (const { From, To } of Action) {
    const target = places.get(To)
    for (const state of From) {
      const from = places.get(state)
      if (from !== undefined && target !== undefined) transitions[from]?.push(target)
    }
  }
  const first = InitialAction && places.get(InitialAction.To)
  const isReached = first === undefined ? [] : reachableFrom([first], transitions)
  const ends = reachableFrom(finalStates(transitions), reversed(transitions))
  for (const [place, { Name }] of State.entries()) {
    if (places.get(Name) !== place) continue
    const pointer = `/State/${place}`
    if (isReached[place] === false) yield { pointer, message: `cannot be reached from ${initialAction}` }
    if (!ends[place]) yield { pointer, message: 'leads to no state in which a version can stay: nothing ends' }
  }
}

/** The states that no action leads from. */
function finalStates(transitions: Transitions): number[] {
  return transitions.flatMap((targets, place) => (targets.length === 0 ? [place] : []))
}

function* checkMapping({ StateMapping = [] }: WorkflowBody, places: Places): Generator<InputError> {
  const seen = new Set<string>()
  for (const [number, { From, To }] of StateMapping.entries()) {
    const pointer = `/StateMapping/${number}`
    if (seen.has(From)) yield { pointer: `${pointer}/From`, message: 'is mapped already' }
    seen.add(From)
    if (places.has(From)) {
      yield { pointer: `${pointer}/From`, message: 'is a state of this workflow: versions stay in it' }
    }
    if (!places.has(To)) yield { pointer: `${pointer}/To`, message: unknownState }
  }
}

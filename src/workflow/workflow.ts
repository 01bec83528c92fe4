import type { Standing } from '../access/entitlement.ts'
import type { StateRules } from '../database/tables.ts'
import type { WorkflowDocument } from './schemas.ts'

export type State = WorkflowDocument['State'][number]
export type Action = WorkflowDocument['Action'][number]

/** A workflow in the form in which versions are led through it. */
export interface Workflow {
  states: ReadonlyMap<string, State>
  /** The actions that lead from a state, in the document's order. */
  actionsFrom: (state: string) => readonly Action[]
}

/** `document` has no findings. */
export function readWorkflow({ State, Action }: WorkflowDocument): Workflow {
  const actions = new Map<string, Action[]>(State.map(({ Name }) => [Name, []]))
  for (const action of Action) for (const state of action.From) actions.get(state)?.push(action)
  return {
    states: new Map(State.map((state) => [state.Name, state])),
    actionsFrom: (state) => actions.get(state) ?? [],
  }
}

/** What the rows of versions in a state hold. */
export function rulesOf({ Name, Listed = true, ChangesAllowed = true }: State): StateRules {
  return { state: Name, listed: Listed, changeable: ChangesAllowed }
}

/** What conditions look at. */
export interface VersionFacts {
  hasDescription: boolean
  hasProductionEndpoint: boolean
  hasOperations: boolean
  /** For how many whole days it has been deprecated, and known to be; null when it is not. */
  daysDeprecated: number | null
  /** How many days ago somebody read it; null when nobody did since it is deprecated. */
  daysSinceRead: number | null
}

/** Whether an action is for somebody who is what `standings` say. */
export function isFor({ Who }: Action, standings: readonly Standing[]): boolean {
  return standings.some((standing) => Who.includes(standing))
}

/** The conditions of an action that a version does not meet, as what is missing of it. */
export function unmetConditions({ Condition = {} }: Action, facts: VersionFacts): string[] {
  const { HasDescription, HasProductionEndpoint, HasOperations, UnreadForDays: days } = Condition
  const { daysDeprecated, daysSinceRead } = facts
  return [
    ...(HasDescription && !facts.hasDescription ? ['a Description'] : []),
    ...(HasProductionEndpoint && !facts.hasProductionEndpoint ? ['a production endpoint'] : []),
    ...(HasOperations && !facts.hasOperations ? ['operations'] : []),
    ...(days !== undefined && (daysDeprecated === null || daysDeprecated < days)
      ? [`a deprecation that is ${shown(days)} old`]
      : []),
    ...(days !== undefined && daysSinceRead !== null && daysSinceRead < days
      ? [`${shown(days)} without a reader`]
      : []),
  ]
}

function shown(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}

/** The actions that lead from a state and that somebody may take on a version. */
export function takeable(
  workflow: Workflow,
  state: string,
  standings: readonly Standing[],
  facts: VersionFacts,
): readonly Action[] {
  return workflow
    .actionsFrom(state)
    .filter((action) => isFor(action, standings) && unmetConditions(action, facts).length === 0)
}

const mostNamed = 20

/** The names of actions, for people; of very many the first ones. */
export function namesOf(actions: readonly Action[]): string {
  const names = [...new Set(actions.map(({ Name }) => Name))]
  const shown = names.slice(0, mostNamed).map((name) => JSON.stringify(name))
  return [...shown, ...(names.length > mostNamed ? ['...'] : [])].join(', ')
}

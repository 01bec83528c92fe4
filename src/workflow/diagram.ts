import { initialAction } from './check.ts'
import type { WorkflowDocument } from './schemas.ts'

/** Draws a workflow as a Mermaid state diagram, also one with findings: what leads to no state is left out. */
export function stateDiagram({ InitialAction, State, Action }: WorkflowDocument): string {
  const ids = new Map(State.map(({ Name }, place) => [Name, `s${place}`] as const).reverse())
  const left = new Set(Action.flatMap(({ From }) => From))
  const lines = State.map(({ Name, Title }, place) => `state "${text(Title || Name)}" as s${place}`)
  const arrow = (from: string | undefined, to: string | undefined, label = '') => {
    if (from && to) lines.push(`${from} --> ${to}${label && ` : ${text(label)}`}`)
  }
  if (InitialAction) arrow('[*]', ids.get(InitialAction.To), initialAction)
  for (const { Name, Title, From, To } of Action) {
    for (const state of From) arrow(ids.get(state), ids.get(To), Title || Name)
  }
  for (const [Name, id] of [...ids].reverse()) if (!left.has(Name)) arrow(id, '[*]')
  return ['stateDiagram-v2', ...lines.map((line) => `  ${line}`), ''].join('\n')
}

/** A text on a line of its own: what could mean something there stands as its number. */
function text(given: string): string {
  return given.replace(/[^\p{L}\p{Nd} .,@_-]/gu, (character) => `#${character.codePointAt(0)};`)
}

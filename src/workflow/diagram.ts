import { initialAction } from './check.ts'
import type { WorkflowDocument } from './schemas.ts'

// What is larger nobody draws; escaped titles, once for each arrow, would make it many times as large as the document.
const mostCharacters = 500_000

/**
 * Draws a workflow as a Mermaid state diagram, also one with findings: what leads to no state is left out. Empty for one
 * that would be too large.
 */
export function stateDiagram(workflow: WorkflowDocument): string {
  let drawn = 'stateDiagram-v2\n'
  for (const line of linesOf(workflow)) {
    drawn += `  ${line}\n`
    if (drawn.length > mostCharacters) return ''
  }
  return drawn
}

function* linesOf({ InitialAction, State, Action }: WorkflowDocument): Generator<string> {
  const ids = new Map(State.map(({ Name }, place) => [Name, `s${place}`] as const).reverse())
  const left = new Set(Action.flatMap(({ From }) => From))
  for (const [place, { Name, Title }] of State.entries()) yield `state "${text(Title || Name)}" as s${place}`
  const beginning = InitialAction && ids.get(InitialAction.To)
  if (beginning) yield `[*] --> ${beginning} : ${initialAction}`
  for (const { Name, Title, From, To } of Action) {
    const label = text(Title || Name)
    const to = ids.get(To)
    for (const state of From) {
      const from = ids.get(state)
      if (from && to) yield `${from} --> ${to} : ${label}`
    }
  }
  for (const [Name, id] of [...ids].reverse()) if (!left.has(Name)) yield `${id} --> [*]`
}

/** A text on a line of its own: what could mean something there stands as its number. */
function text(given: string): string {
  return given.replace(/[^\p{L}\p{Nd} .,@_-]/gu, (character) => `#${character.codePointAt(0)};`)
}

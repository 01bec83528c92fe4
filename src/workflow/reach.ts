/** By state, the states that actions lead to; states are numbers from 0. */
export type Transitions = readonly (readonly number[])[]

/**
 * Which states can be reached from some of them, these included. Each transition is walked once, whatever circles there
 * are.
 */
export function reachableFrom(from: readonly number[], transitions: Transitions): boolean[] {
  const found = transitions.map(() => false)
  const waiting = [...from]
  for (const state of waiting) found[state] = true
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    for (const next of transitions[state] ?? []) {
      if (found[next]) continue
      found[next] = true
      waiting.push(next)
    }
  }
  return found
}

/** The same transitions, backwards. */
export function reversed(transitions: Transitions): Transitions {
  const back: number[][] = transitions.map(() => [])
  for (const [state, targets] of transitions.entries()) for (const target of targets) back[target]?.push(state)
  return back
}

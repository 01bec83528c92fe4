/** By state, the states that actions lead to; states are numbers from 0. */
export type Ways = readonly (readonly number[])[]

/** Which states are reached from some of them, these included. Each way is walked once, whatever circles there are. */
export function reached(from: readonly number[], ways: Ways): boolean[] {
  const found = ways.map(() => false)
  const waiting = [...from]
  for (const state of waiting) found[state] = true
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    for (const next of ways[state] ?? []) {
      if (found[next]) continue
      found[next] = true
      waiting.push(next)
    }
  }
  return found
}

/** The same ways, walked backwards. */
export function reversed(ways: Ways): Ways {
  const back: number[][] = ways.map(() => [])
  for (const [state, targets] of ways.entries()) for (const target of targets) back[target]?.push(state)
  return back
}

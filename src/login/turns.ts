const last = new Map<string, Promise<unknown>>()

/** Does the work when what was begun before under the same key has ended. When that throws, those who wait get its error. */
export function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = last.get(key)?.then(work) ?? work()
  const leave = () => {
    if (last.get(key) === turn) last.delete(key)
  }
  last.set(key, turn)
  turn.then(leave, leave)
  return turn
}

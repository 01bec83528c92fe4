/** Somebody who stands in the line. */
interface Waiting {
  user: string
  begin: () => void
}

/** Does the work when it is its user's turn. */
export type Line = <T>(user: string, work: () => Promise<T>) => Promise<T>

/**
 * Makes a line that does one work at a time. Whoever had a turn goes behind all others, so that nobody waits for more than
 * one work of each. Who has waited for so long goes away with the refusal, and nothing is done for them.
 */
export function fairLine(longestWait: number, refusal: () => Error): Line {
  let waiting: Waiting[] = []
  let isBusy = false

  function turnOf(user: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting = waiting.filter((one) => one !== own)
        reject(refusal())
      }, longestWait)
      const begin = () => {
        clearTimeout(late)
        resolve()
      }
      const own = { user, begin }
      waiting.push(own)
    })
  }

  function endTurnOf(user: string): void {
    const others = waiting.filter((one) => one.user !== user)
    const [next, ...left] = [...others, ...waiting.filter((one) => one.user === user)]
    waiting = left
    if (next) next.begin()
    else isBusy = false
  }

  return async (user, work) => {
    if (isBusy) await turnOf(user)
    isBusy = true
    try {
      return await work()
    } finally {
      endTurnOf(user)
    }
  }
}

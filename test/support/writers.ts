import type { Answer } from './client.ts'

/** Writes from four sides at once until each is refused; the statuses that ended them. */
export async function writeUntilRefused(write: (n: number) => Promise<Answer>): Promise<number[]> {
  let made = 0
  const writer = async () => {
    for (;;) {
      const { status } = await write(++made)
      // A busy database asks to try again.
      if (status !== 200 && status !== 503) return status
    }
  }
  return Promise.all([writer(), writer(), writer(), writer()])
}

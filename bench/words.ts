const syllables = ['ba', 'co', 'du', 'fe', 'gi', 'lo', 'mu', 'ne', 'ri', 'ta']
const words = 1000

/** Names of APIs: the beginning, and two words of a thousand, of which some are frequent and most are rare, as in texts. */
export function apiNames(beginning: string, count: number): string[] {
  const random = randomNumbers(20_261)
  return Array.from({ length: count }, () => {
    const first = rank(random())
    let second = rank(random())
    while (second === first) second = rank(random())
    return `${beginning} ${word(first)} ${word(second)}`
  })
}

/** The word at a place is as many times rarer than the first one. */
function rank(share: number): number {
  return Math.floor(words ** share) - 1
}

function word(rank: number): string {
  return [...String(rank).padStart(3, '0')].map((digit) => syllables[Number(digit)]).join('')
}

/** The same numbers in every run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

import { fileURLToPath } from 'node:url'

const quick = process.env.BENCH_QUICK === '1'

/** The project's folder; this file runs from dist-bench/bench. */
export const project = fileURLToPath(new URL('../../', import.meta.url))

export const connections = 16

/** A warm-up ends when it has lasted this long and brought this many answers, but after twelve seconds at the latest. */
export interface WarmUp {
  ms: number
  answers: number
}

/** Each leg loads its server before it is measured; before the first of an operation, until its code is compiled. */
export const warmUps: Record<'first' | 'other', WarmUp> = {
  first: quick ? { ms: 500, answers: 2000 } : { ms: 1000, answers: 30_000 },
  other: { ms: 150, answers: 0 },
}
/** What loads a server beside the measured requests has done so for this long. */
export const warmUpBesideMs = 750
export const longestWarmUpMs = 12_000
// Short, as the two legs of a pair are compared: what else the host does meanwhile hits both alike.
export const measuredMs = quick ? 400 : 600

/** How often each starts, each read of memory apart; the median is shown. */
export const startUps = quick ? 1 : 3

/** How often each document is imported. */
export const imports = quick ? 10 : 40

/** How often somebody is refused for each reason. */
export const refusals = quick ? 20 : 100

/** How many versions the databases hold, and how often each pair takes its turn. */
export const sizes = quick
  ? { small: { versions: 1000, rounds: 2 }, large: { versions: 20_000, rounds: 1 } }
  : { small: { versions: 1000, rounds: 11 }, large: { versions: 100_000, rounds: 6 } }

export type Size = keyof typeof sizes

/** Different versions that are read, APIs that are changed, names that are searched; a multiple of the connections. */
export const sampled = { versions: 400, deprecated: 400, apis: 208, names: 320, people: 160 }

/** So many pages on is the list read, or at its last whole page where it has fewer. */
export const farPages = 1000

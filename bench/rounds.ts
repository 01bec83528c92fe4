import type { Cluster } from './cluster.ts'
import { type Leg, loadMeanwhile, measure } from './load.ts'
import type { Operation } from './operation.ts'
import { cpuTimes } from './processes.ts'
import { requireSameAnswers } from './same-answers.ts'
import { type Size, sizes, type WarmUp, warmUpBesideMs, warmUps } from './settings.ts'
import type { Site } from './site.ts'

/** The legs of one round, which follow each other directly: only they are compared with each other. */
export type Round = { [S in Size]?: Pair }

/** The service beside the floor, or beside itself with the requests that stand in place of the floor's. */
export interface Pair {
  floor: Leg
  service: Leg
}

export interface Measured {
  operation: Pick<Operation, 'name' | 'least' | 'leastGrowth' | 'mostSpread' | 'mostP99'>
  rounds: Round[]
}

const turns = [
  ['small', 'floor'],
  ['small', 'service'],
  ['large', 'service'],
  ['large', 'floor'],
] as const

/** Measures one operation and what it is compared with over both databases, in turns: A B, B A, B A, A B ... */
export async function measureInRounds(
  operation: Operation,
  sites: Record<Size, Site>,
  cluster: Cluster,
): Promise<Measured> {
  process.stdout.write(`${operation.name} `)
  if (!operation.comparedWith) await requireSameAnswers(operation, sites[operation.only ?? 'small'])
  const rounds: Round[] = []
  for (let number = 0; number < sizes.small.rounds; number++) {
    // The large database sits out the rounds that it has too many of, from the second on.
    const both = number % 2 === 0 && number / 2 < sizes.large.rounds
    const order = Math.floor((number + 1) / 2) % 2 === 0 ? turns : turns.toReversed()
    const hasTurn = (size: Size) => (both || size === 'small') && (operation.only ?? size) === size
    const legs = new Map<string, Leg>()
    for (const [size, kind] of order.filter(([size]) => hasTurn(size))) {
      legs.set(
        `${size} ${kind}`,
        await leg(operation, sites[size], kind, cluster, warmUps[number === 0 ? 'first' : 'other']),
      )
      process.stdout.write('.')
    }
    rounds.push({ ...pair(legs, 'small'), ...pair(legs, 'large') })
  }
  process.stdout.write('\n')
  return { operation, rounds }
}

async function leg(
  operation: Operation,
  site: Site,
  kind: 'floor' | 'service',
  cluster: Cluster,
  warmUp: WarmUp,
): Promise<Leg> {
  const isOther = kind === 'floor' && operation.comparedWith
  const server = isOther ? site.service : site[kind]
  const load = isOther ? isOther(site) : operation.load(site)
  const end = kind === 'service' && operation.meanwhile && loadMeanwhile(server.url, operation.meanwhile(site))
  try {
    if (kind === 'service') await operation.prepare?.(site)
    const answers = Math.min(warmUp.answers, operation.warmUpAnswers ?? warmUp.answers)
    const ms = operation.meanwhile ? Math.max(warmUp.ms, warmUpBesideMs) : warmUp.ms
    return await measure(server.url, load, { ms, answers }, () => cpuTimes(server.pid, cluster.pid))
  } catch (error) {
    throw new Error(`${server.name}: ${(error as Error).message}\n${server.lastWords()}`)
  } finally {
    if (end) await end()
    await operation.tidy?.(site)
  }
}

function pair(legs: Map<string, Leg>, size: Size): Round {
  const floor = legs.get(`${size} floor`)
  const service = legs.get(`${size} service`)
  return floor && service ? { [size]: { floor, service } } : {}
}

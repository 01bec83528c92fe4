import type { Cluster } from './cluster.ts'
import { type Leg, measure } from './load.ts'
import { addedPrefix, type Operation } from './operations.ts'
import { cpuTimes } from './processes.ts'
import { requireSameAnswers } from './same-answers.ts'
import { removeAdded } from './seed.ts'
import { type Size, sizes, type WarmUp, warmUps } from './settings.ts'
import type { Site } from './site.ts'

/** The legs of one round, which follow each other directly: only they are compared with each other. */
export type Round = { [S in Size]?: { floor: Leg; service: Leg } }

export interface Measured {
  operation: Pick<Operation, 'name' | 'least'>
  rounds: Round[]
}

const turns = [
  ['small', 'floor'],
  ['small', 'service'],
  ['large', 'service'],
  ['large', 'floor'],
] as const

/** Measures one operation on both servers over both databases, in turns: A B, B A, B A, A B ... */
export async function measureInRounds(
  operation: Operation,
  sites: Record<Size, Site>,
  cluster: Cluster,
): Promise<Measured> {
  process.stdout.write(`${operation.name} `)
  await requireSameAnswers(operation, sites.small)
  const rounds: Round[] = []
  for (let number = 0; number < sizes.small.rounds; number++) {
    // The large database sits out the rounds that it has too many of, from the second on.
    const both = number % 2 === 0 && number / 2 < sizes.large.rounds
    const order = Math.floor((number + 1) / 2) % 2 === 0 ? turns : turns.toReversed()
    const legs = new Map<string, Leg>()
    for (const [size, kind] of order.filter(([size]) => both || size === 'small')) {
      legs.set(
        `${size} ${kind}`,
        await leg(operation, sites[size], kind, cluster, warmUps[number === 0 ? 'first' : 'other']),
      )
      process.stdout.write('.')
    }
    rounds.push({ small: pair(legs, 'small'), ...(both && { large: pair(legs, 'large') }) })
  }
  process.stdout.write('\n')
  const { name, least } = operation
  return { operation: { name, least }, rounds }
}

async function leg(
  operation: Operation,
  site: Site,
  kind: 'floor' | 'service',
  cluster: Cluster,
  warmUp: WarmUp,
): Promise<Leg> {
  const server = site[kind]
  try {
    return await measure(server.url, operation.load(site), warmUp, () => cpuTimes(server.pid, cluster.pid))
  } catch (error) {
    throw new Error(`${server.name}: ${(error as Error).message}\n${server.lastWords()}`)
  } finally {
    if (operation.adds) await removeAdded(site.database, site.sample.apis, addedPrefix)
  }
}

function pair(legs: Map<string, Leg>, size: Size): { floor: Leg; service: Leg } {
  return { floor: legs.get(`${size} floor`) as Leg, service: legs.get(`${size} service`) as Leg }
}

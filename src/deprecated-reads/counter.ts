/** How often somebody has read a deprecated version: a user, or else what a program calls itself. */
export interface Reads {
  versionId: string
  userId: string | null
  agent: string | null
  reads: number
}

type Consumer = Pick<Reads, 'userId' | 'agent'>

/** Anonymous programs beyond this many of one version, and of one day in the database, are counted under one name. */
export const mostAgents = 1000
export const otherAgents = '(others)'

// While the database is away; reads by still more consumers are not counted.
const mostHeld = 50_000

interface Counts {
  users: Map<string, number>
  agents: Map<string, number>
}

/** Counts reads in memory until they are taken to be written. */
export interface ReadCounter {
  add: (versionId: string, consumer: Consumer, reads?: number) => void
  /** Takes the counts of so many consumers at most. */
  take: (most: number) => Reads[]
  isEmpty: () => boolean
}

export function readCounter(): ReadCounter {
  const versions = new Map<string, Counts>()
  let held = 0

  function add(versionId: string, { userId, agent }: Consumer, reads = 1): void {
    const counts = versions.get(versionId) ?? { users: new Map(), agents: new Map() }
    const isUser = userId !== null
    const counted = isUser ? counts.users : counts.agents
    const name = isUser ? userId : nameIn(counts.agents, agent ?? otherAgents)
    const before = counted.get(name)
    if (before === undefined && held++ >= mostHeld) {
      held--
      return
    }
    counted.set(name, (before ?? 0) + reads)
    versions.set(versionId, counts)
  }

  function take(most: number): Reads[] {
    const taken: Reads[] = []
    for (const [versionId, { users, agents }] of versions) {
      for (const [userId, reads] of drained(users, most - taken.length)) {
        taken.push({ versionId, userId, agent: null, reads })
      }
      for (const [agent, reads] of drained(agents, most - taken.length)) {
        taken.push({ versionId, userId: null, agent, reads })
      }
      if (users.size + agents.size > 0) break
      versions.delete(versionId)
    }
    held -= taken.length
    return taken
  }

  return { add, take, isEmpty: () => versions.size === 0 }
}

function nameIn(agents: Map<string, number>, agent: string): string {
  return agents.size < mostAgents || agents.has(agent) ? agent : otherAgents
}

function* drained(counts: Map<string, number>, most: number): Iterable<[string, number]> {
  let left = most
  for (const entry of counts) {
    if (left-- <= 0) return
    counts.delete(entry[0])
    yield entry
  }
}

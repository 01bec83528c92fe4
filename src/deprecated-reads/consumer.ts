import type { FastifyRequest } from 'fastify'

const longestAgent = 200
const nameless = '(none)'

/** Who sent a request: the user, or else what the program calls itself, in printable ASCII. */
export function consumerOf({ caller, headers }: FastifyRequest): { userId: string | null; agent: string | null } {
  return caller ? { userId: caller.userId, agent: null } : { userId: null, agent: agentOf(headers['user-agent']) }
}

function agentOf(header: string | undefined): string {
  const agent = (header ?? '').slice(0, longestAgent).replace(/[^\x20-\x7e]/g, '?')
  return agent.trim() || nameless
}

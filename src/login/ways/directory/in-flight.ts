import { TooManyRequests } from '../../../fault.ts'

const most = 20
const inFlight = new Map<string, number>()

/**
 * Keeps a slow directory from holding ever more sign-ins.
 * @throws TooManyRequests when enough are under way at the same domain
 */
export async function withinLimit<T>(domainId: string, work: () => Promise<T>): Promise<T> {
  const before = inFlight.get(domainId) ?? 0
  if (before >= most) throw new TooManyRequests('Too many people are signing in at this moment.', 1)
  inFlight.set(domainId, before + 1)
  try {
    return await work()
  } finally {
    const left = (inFlight.get(domainId) ?? 1) - 1
    if (left > 0) inFlight.set(domainId, left)
    else inFlight.delete(domainId)
  }
}

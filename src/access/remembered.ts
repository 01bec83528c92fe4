import type { Change } from '../database/changes.ts'
import type { Session } from './sessions.ts'

const rememberMs = 1000
const most = 10_000

/** A session with the database's clock carried on since it was read, in milliseconds since 1970. */
export interface CurrentSession extends Session {
  clock: () => number
}

interface Entry {
  session: CurrentSession
  readAt: number
}

/** Sessions in this process's memory: each for a second at most, and no longer than until a change is heard. */
export interface RememberedSessions {
  /** What is remembered, at once, or else what `find` reads. */
  get: (id: string) => CurrentSession | Promise<CurrentSession | undefined>
  forget: (change: Change) => void
}

export function rememberSessions(find: (id: string) => Promise<Session | undefined>): RememberedSessions {
  const entries = new Map<string, Entry>()
  // A look-up that was under way when something changed may have seen the old state: its result is not kept.
  let changes = 0

  async function read(id: string): Promise<CurrentSession | undefined> {
    const changesBefore = changes
    const readAt = performance.now()
    const found = await find(id)
    if (!found) return undefined
    const session = { ...found, clock: () => found.now + (performance.now() - readAt) }
    if (changes === changesBefore) {
      if (entries.size >= most) entries.clear()
      entries.set(id, { session, readAt })
    }
    return session
  }

  return {
    get: (id) => {
      const entry = entries.get(id)
      if (entry && performance.now() - entry.readAt < rememberMs) return entry.session
      entries.delete(id)
      return read(id)
    },
    forget: ({ kind, id: changed }) => {
      changes++
      if (kind === 'session') entries.delete(changed)
      else for (const [id, { session }] of entries) if (isOf(session, kind, changed)) entries.delete(id)
    },
  }
}

function isOf({ caller }: Session, kind: 'user' | 'domain', id: string): boolean {
  return (kind === 'user' ? caller.userId : caller.domainId) === id
}

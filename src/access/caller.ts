import type { Role, StoredVisibility } from '../database/tables.ts'
import { Unauthorized } from '../fault.ts'

/** Who sent a request, as the database knew it at most a second ago. */
export interface Caller {
  sessionId: string
  userId: string
  userName: string
  email: string
  domainId: string
  /** The domain's DomainName, or its id where it has none. */
  domainName: string
  roles: readonly Role[]
}

/** The session behind a request; times are milliseconds since 1970 by the database's clock. */
export interface RequestSession {
  /** The database's clock, carried on since it was last read. */
  clock: () => number
  /** When the session ends at the latest. */
  end: number
  tokenExpires: number
}

/** The caller of a route whose rule requires signing in. */
export function signedInCaller(request: { caller: Caller | null }): Caller {
  if (!request.caller) throw new Error('the access rule of this route admits callers who are not signed in')
  return request.caller
}

/** The session of a route whose rule requires signing in. */
export function signedInSession(request: { session: RequestSession | null }): RequestSession {
  if (!request.session) throw new Error('the access rule of this route admits callers who are not signed in')
  return request.session
}

export function isSiteAdmin(caller: Caller | null): boolean {
  return caller?.roles.includes('SiteAdmin') ?? false
}

/** What decides in SQL what somebody may read. */
export interface Reader {
  /** The visibilities that they read without being a member of the API's admin group. */
  visible: StoredVisibility[]
  /** Null for nobody, who is a member of no group. */
  userId: string | null
}

const visibleTo: Record<'anyone' | 'users' | 'roles', StoredVisibility[]> = {
  anyone: ['Public'],
  users: ['Public', 'RegisteredUsers'],
  roles: ['Public', 'RegisteredUsers', 'Limited'],
}

export function readerOf(caller: Caller | null): Reader {
  if (!caller) return { visible: visibleTo.anyone, userId: null }
  return { visible: caller.roles.length > 0 ? visibleTo.roles : visibleTo.users, userId: caller.userId }
}

/** The fault for a caller who may not; the contract answers 401 also to those who are signed in. */
export function notEntitled(caller: Caller | null, needed: string): Unauthorized {
  return new Unauthorized(
    caller ? `You are signed in, but not entitled: ${needed}.` : `You are not signed in: ${needed}.`,
  )
}

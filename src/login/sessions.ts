import { sql } from 'kysely'
import { endSessionsOf, isGoingOn } from '../access/sessions.ts'
import type { Config } from '../config.ts'
import type { Database, SessionInterface, Transaction } from '../database/tables.ts'
import { isUuid, notFound } from '../ids.ts'

export interface UsersSession {
  id: string
  on: SessionInterface
  started: Date
  lastSeen: Date
}

const most = 100

/** A user's sessions that go on, the hundred that were used last. */
export function readSessions(db: Database, userId: string, limits: Config): Promise<UsersSession[]> {
  return db
    .selectFrom('session as s')
    .where('s.user_id', '=', userId)
    .where(isGoingOn(limits))
    .select(['s.id', 's.interface as on', 's.started', 's.last_seen as lastSeen'])
    .orderBy('s.last_seen', 'desc')
    .orderBy('s.id')
    .limit(most)
    .execute()
}

/**
 * Ends one session of a user, or all.
 * @throws NotFound when the one is none of theirs that goes on
 */
export async function endSessions(trx: Transaction, userId: string, sessionId: string | undefined): Promise<void> {
  if (sessionId !== undefined && !isUuid(sessionId)) {
    throw notFound('session', sessionId)
  }
  const which = sessionId === undefined ? sql<boolean>`true` : sql<boolean>`id = ${sessionId}::uuid`
  const ended = await endSessionsOf(trx, userId, which)
  if (sessionId !== undefined && ended === 0) throw notFound('session', sessionId)
}

/** @throws NotFound */
export async function refuseUnknownUser(db: Database, id: string, givenId: string): Promise<void> {
  const user = await db.selectFrom('app_user').where('id', '=', id).select('id').executeTakeFirst()
  if (!user) throw notFound('user', givenId)
}

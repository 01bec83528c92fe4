import { findSession, startSession } from '../access/sessions.ts'
import type { Database, SessionInterface } from '../database/tables.ts'
import type { Services } from '../services.ts'
import type { SignedIn } from './tokens.ts'

/** Opens a new session of a user who has proven who they are; undefined when they or their domain are disabled. */
export async function openSession(
  db: Database,
  { config }: Pick<Services, 'config'>,
  userId: string,
  on: SessionInterface,
): Promise<SignedIn | undefined> {
  const { id, now, end } = await startSession(db, userId, config, on)
  const found = await findSession(db, id, config, on)
  return found && { ...found.caller, now, end }
}

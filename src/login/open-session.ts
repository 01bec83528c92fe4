import { startSession } from '../access/sessions.ts'
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
  const opened = await startSession(db, userId, config, on)
  return opened && { ...opened.caller, now: opened.now, end: opened.end }
}

import { type Proven, startSession } from '../access/sessions.ts'
import type { Database, SessionInterface } from '../database/tables.ts'
import type { Services } from '../services.ts'
import type { SignedIn } from './tokens.ts'

/**
 * Opens a new session of a user who has proven who they are; undefined when they or their domain are disabled, or have
 * another password now.
 */
export async function openSession(
  db: Database,
  { config }: Pick<Services, 'config'>,
  proven: Proven,
  on: SessionInterface,
): Promise<SignedIn | undefined> {
  const opened = await startSession(db, proven, config, on)
  return opened && { ...opened.caller, now: opened.now, end: opened.end }
}

import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../config.ts'
import { announce } from '../database/changes.ts'
import { preparedSql } from '../database/prepared.ts'
import type { Database, SessionInterface, Transaction } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Caller } from './caller.ts'
import { rolesOfUser } from './roles.ts'

type Limits = Pick<Config, 'sessionIdleSeconds' | 'sessionMaxSeconds' | 'tokenLifetimeSeconds'>

/** A session and the database's clock when it was read; times are milliseconds since 1970. */
export interface Session {
  caller: Caller
  now: number
  /** When the session ends however much it is used. */
  end: number
}

const milliseconds = (time: ReturnType<typeof sql>) => sql<number>`(extract(epoch from ${time}) * 1000)::float8`

/** Whose session is opened, and what proved who they are. */
export interface Proven {
  userId: string
  /** The hash that a platform password was verified against; null where another domain proved it. */
  passwordHash: string | null
}

/**
 * Opens a session of a user; undefined when they or their domain are disabled, or have another password now. Its id is
 * random, not sorted by time: it stands in the token. Now and then a new session removes some that nobody can use any more,
 * so that the table stays small without a timer.
 */
export async function startSession(
  db: Database,
  { userId, passwordHash }: Proven,
  limits: Limits,
  on: SessionInterface,
): Promise<Session | undefined> {
  const sessionId = randomUUID()
  const [row] = await opening(db, { sessionId, userId, passwordHash, on })
  if (!row) return undefined
  if (++opened % prunedEvery === 0) await pruneSessions(db, limits)
  const { now, ...user } = row
  return { caller: { sessionId, ...user }, now, end: Math.floor(now) + limits.sessionMaxSeconds * 1000 }
}

const prunedEvery = 16
let opened = 0

async function pruneSessions(db: Database, { sessionMaxSeconds }: Limits): Promise<void> {
  await sql`delete from session where id in (
    select id from session where last_seen < now() - make_interval(secs => ${sessionMaxSeconds})
    order by last_seen limit ${sql.lit(prunedEvery * 10)} for update skip locked)`.execute(db)
}

interface Opening extends Proven {
  sessionId: string
  on: SessionInterface
}

// FOR SHARE waits for a change of the user that is under way: it ends their sessions and would miss this one.
const opening = preparedSql<Opening, Omit<Caller, 'sessionId'> & { now: number }>(
  ({ sessionId, userId, passwordHash, on }) => sql`with opened as (
      insert into session (id, user_id, interface) select ${sessionId}::uuid, u.id, ${on}
      from app_user u join login_domain d on d.id = u.domain_id
      where u.id = ${userId}::uuid and u.enabled and d.enabled
        and (${passwordHash}::text is null or u.password_hash = ${passwordHash}::text)
      for share of u returning user_id)
    select u.id as "userId", u.user_name as "userName", u.email, u.domain_id as "domainId",
      coalesce(d.domain_name, d.id) as "domainName", ${rolesOfUser} as roles, ${milliseconds(sql`now()`)} as now
    from opened join app_user u on u.id = opened.user_id join login_domain d on d.id = u.domain_id`,
)

/**
 * The session with its user, unless it ended, was idle for too long or its user or domain was disabled, or the domain
 * serves the interface no more.
 */
export async function findSession(
  db: Database,
  id: string,
  limits: Limits,
  on: SessionInterface,
): Promise<Session | undefined> {
  const row = await db
    .selectFrom('session as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .innerJoin('login_domain as d', 'd.id', 'u.domain_id')
    .where('s.id', '=', id)
    .where('s.interface', '=', on)
    .where(isGoingOn(limits))
    .where('u.enabled', '=', true)
    .where('d.enabled', '=', true)
    .$if(on === 'oauth', (session) => session.where(sql<boolean>`(d.serves_oauth or d.kind = 'local')`))
    .select(['u.id as userId', 'u.user_name as userName', 'u.email', 'u.domain_id as domainId'])
    .select(sql<string>`coalesce(d.domain_name, d.id)`.as('domainName'))
    .select(rolesOfUser.as('roles'))
    .select(milliseconds(sql`now()`).as('now'))
    .select(milliseconds(sql`s.started`).as('started'))
    .select(milliseconds(sql`s.last_seen`).as('lastSeen'))
    .executeTakeFirst()
  if (!row) return undefined
  const { now, started, lastSeen, ...user } = row
  if (now - lastSeen > touchAfterMs(limits)) await touchSession(db, id)
  return { caller: { sessionId: id, ...user }, now, end: Math.floor(started) + limits.sessionMaxSeconds * 1000 }
}

/** SQL: whether the session `s` has not ended and was not idle for too long. */
export function isGoingOn({ sessionIdleSeconds, sessionMaxSeconds }: Limits): RawBuilder<boolean> {
  return sql<boolean>`(s.ended is null and s.last_seen > now() - make_interval(secs => ${sessionIdleSeconds})
    and s.started > now() - make_interval(secs => ${sessionMaxSeconds}))`
}

/** Ends those sessions of a user for which the SQL holds, on every replica, and gives their number. */
export async function endSessionsOf(trx: Transaction, userId: string, which: RawBuilder<boolean>): Promise<number> {
  const ended = await trx
    .updateTable('session')
    .set({ ended: sql`now()` })
    .where('user_id', '=', userId)
    .where('ended', 'is', null)
    .where(which)
    .executeTakeFirst()
  await announce(trx, { kind: 'user', id: userId })
  return Number(ended.numUpdatedRows)
}

/** Ends a session: each of its tokens is refused from now on, on every replica. */
export async function endSession(db: Database, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx
      .updateTable('session')
      .set({ ended: sql`now()` })
      .where('id', '=', id)
      .where('ended', 'is', null)
      .execute()
    await announce(trx, { kind: 'session', id })
  })
}

/** Not each request is written down, so that a read costs no write; a thirtieth of the idle limit is exact enough. */
function touchAfterMs(limits: Limits): number {
  return Math.min(60_000, (limits.sessionIdleSeconds * 1000) / 30)
}

async function touchSession(db: Database, id: string): Promise<void> {
  await db.updateTable('session').set({ last_seen: sql`now()` }).where('id', '=', id).execute()
}

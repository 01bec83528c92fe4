import { type RawBuilder, sql } from 'kysely'
import type { Database, StateRules, Transaction } from '../database/tables.ts'
import { NotFound } from '../fault.ts'

export interface WorkflowRow {
  revision: number
  /** JSON text; null where it is that of a revision that the client has already. */
  document: string | null
}

/** Reads the workflow that is in place. @throws NotFound when there is none. */
export async function readDocument(db: Database, knownRevisions: string[] | undefined): Promise<WorkflowRow> {
  const row = await db
    .selectFrom('workflow')
    .where('document', 'is not', null)
    .select('revision')
    .select(
      sql<
        string | null
      >`case when revision::text = any(${knownRevisions ?? null}::text[]) then null else document::text end`.as(
        'document',
      ),
    )
    .executeTakeFirst()
  if (!row) throw noWorkflow()
  return row
}

export function noWorkflow(): NotFound {
  return new NotFound('No workflow is in place.')
}

const lockKey = sql`hashtextextended('Workflow', 0)`

/**
 * SQL: the row of the workflow, which stays as it is until the transaction ends. A change of an API reads it on the way to
 * its row, so that nobody who holds an API waits for the workflow. It queues behind whoever waits for `lockWorkflow`: row
 * locks alone would overtake them for ever.
 */
export const lockedWorkflow: RawBuilder<{ initial: StateRules | null }> = sql`(
  select initial from workflow where pg_advisory_xact_lock_shared(${lockKey}) is not null for key share)`

/** Locks the workflow, and with it every version: who adds or changes one waits until this transaction ends. */
export async function lockWorkflow(trx: Transaction): Promise<{ revision: number; isInPlace: boolean }> {
  await sql`select pg_advisory_xact_lock(${lockKey})`.execute(trx)
  return trx
    .selectFrom('workflow')
    .select(['revision', sql<boolean>`document is not null`.as('isInPlace')])
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Puts a workflow in place, or takes it away. */
export async function writeWorkflow(
  trx: Transaction,
  document: string | null,
  initial: StateRules | null,
): Promise<void> {
  await trx
    .updateTable('workflow')
    .set({ revision: sql`revision + 1`, document, initial: initial && JSON.stringify(initial) })
    .execute()
}

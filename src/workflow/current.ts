import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { prepared } from '../database/prepared.ts'
import type { Database } from '../database/tables.ts'
import { invalidParameter } from '../lists/parameters.ts'
import type { Vendor } from '../vendor.ts'
import { readWorkflow, type Workflow } from './workflow.ts'

const mostNamed = 20

interface Remembered {
  revision: number
  workflow: Workflow | null
}

// Of each database that this process uses.
const remembered = new WeakMap<Database, Remembered>()

const latest = prepared((db, { revision }: { revision: number | null }) =>
  db
    .selectFrom('workflow')
    .select('revision')
    .select(
      sql<string | null>`case when revision is distinct from ${revision}::integer then document::text end`.as(
        'document',
      ),
    ),
)

/**
 * The workflow that is in place at this moment, or null; it is read anew only when it is another. `trx` is the transaction
 * over `db` that the caller is in, or `db` itself; one that has locked an API or a version's API finds the same until it
 * ends.
 */
export async function currentWorkflow(db: Database, trx: Database): Promise<Workflow | null> {
  const known = remembered.get(db)
  const [row] = await latest(trx, { revision: known?.revision ?? null })
  if (!row) throw new Error('the row of the workflow is missing')
  if (known?.revision === row.revision) return known.workflow
  const workflow = row.document === null ? null : readWorkflow(JSON.parse(row.document))
  remembered.set(db, { revision: row.revision, workflow })
  return workflow
}

/**
 * Makes sure that versions can be in the state that a list is narrowed to. Who is signed in is told which states there are.
 * @throws Malformed
 */
export async function checkStateParameter(
  db: Database,
  vendor: Vendor,
  caller: Caller | null,
  state: string | undefined,
): Promise<void> {
  if (!state) return
  const states = (await currentWorkflow(db, db))?.states ?? new Map([[vendor.openState, null]])
  if (states.has(state)) return
  if (!caller) throw invalidParameter('state', 'must be one of the states that versions can be in')
  const named = [...states.keys()].slice(0, mostNamed).join(', ')
  throw invalidParameter(
    'state',
    `must be ${states.size > 1 ? 'one of ' : ''}${named}${states.size > mostNamed ? ', ...' : ''}`,
  )
}

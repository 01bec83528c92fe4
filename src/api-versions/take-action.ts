import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import type { StateRules, Transaction } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Once } from '../idempotency.ts'
import { storedId } from '../ids.ts'
import type { Precondition } from '../representation/etag.ts'
import type { Services } from '../services.ts'
import { currentWorkflow } from '../workflow/current.ts'
import { rulesOf, type State } from '../workflow/workflow.ts'
import type { ActionRequest } from './action-schemas.ts'
import { chosenAction } from './actions.ts'
import { withHistory } from './history.ts'
import { lockApiOfVersion } from './owning-api.ts'
import { readStanding, type VersionStanding } from './standing.ts'

/**
 * Takes an action of the workflow on a version.
 * @returns the version's new JSON
 * @throws NotFound, Unauthorized, Malformed, PreconditionFailed, ReusedKey
 */
export async function takeAction(
  { db, vendor }: Services,
  caller: Caller,
  versionId: string,
  request: Static<typeof ActionRequest>,
  precondition: Precondition,
  once: Once,
): Promise<string> {
  const id = storedId(vendor, versionId, 'version')
  return inTransaction(db, (trx) =>
    once(trx, async () => {
      const { now } = await lockApiOfVersion(trx, caller, id, versionId)
      const version = await readStanding(trx, caller, id, versionId, true)
      precondition(version.revision)
      const workflow = await currentWorkflow(db, trx)
      const action = chosenAction(workflow, version, caller, request)
      const to = rulesOf(workflow?.states.get(action.To) as State)
      const doc = JSON.stringify({ ...version.document, State: to.state, Updated: now.toISOString() })
      const what = { action: action.Name, user_id: caller.userId, comment: request.Comments || null }
      await moveVersion(trx, id, version, to, { doc, updated: now }, what)
      return doc
    }),
  )
}

/** Moves a version that is as it was seen, and says so in its history, in one statement. */
async function moveVersion(
  trx: Transaction,
  id: string,
  { state, revision }: VersionStanding,
  to: StateRules,
  columns: { doc: string; updated: Date },
  what: { action: string; user_id: string; comment: string | null },
): Promise<void> {
  const entry = {
    version_id: id,
    revision: revision + 1,
    at: columns.updated,
    ...what,
    from_state: state,
    to_state: to.state,
  }
  await withHistory(trx, entry)
    .updateTable('api_version')
    .set({ ...to, ...columns, revision: revision + 1 })
    .where('id', '=', id)
    .where('state', '=', state)
    .where('revision', '=', revision)
    .returning('id')
    .executeTakeFirstOrThrow()
}

import type { Caller } from '../access/caller.ts'
import { lockSiteAdmin } from '../access/site-admins.ts'
import { allowLongWork } from '../database/long-work.ts'
import type { StateRules, Transaction } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { Malformed } from '../fault.ts'
import type { Precondition } from '../representation/etag.ts'
import type { Services } from '../services.ts'
import { checkWorkflow } from './check.ts'
import { countOthers, type Move, moveVersions } from './move-versions.ts'
import type { WorkflowBody } from './schemas.ts'
import { lockWorkflow, noWorkflow, writeWorkflow } from './store.ts'
import { rulesOf } from './workflow.ts'

const mostShown = 20

/**
 * Puts a workflow in place and leads the versions that there are into its states.
 * @returns its document as JSON
 * @throws Malformed when it has findings, or versions stand in a state that neither it nor its mapping has; Unauthorized,
 * PreconditionFailed
 */
export async function putWorkflow(
  { db }: Services,
  caller: Caller,
  body: WorkflowBody,
  precondition: Precondition,
): Promise<string> {
  refuseFindings(body)
  const { StateMapping = [], ...document } = body
  const text = JSON.stringify(document)
  const rules = new Map(document.State.map((state) => [state.Name, rulesOf(state)]))
  const initial = rules.get(document.InitialAction?.To ?? '') as StateRules
  const moves = [
    ...[...rules.values()].map((to) => ({ from: to.state, to })),
    ...StateMapping.map(({ From, To }) => ({ from: From, to: rules.get(To) as StateRules })),
  ]
  await inTransaction(db, async (trx) => {
    await lockSiteAdmin(trx, caller)
    const { revision } = await lockWorkflow(trx)
    precondition(revision)
    allowLongWork(trx)
    await refuseStranded(trx, moves, 'the workflow does not have; StateMapping has to say where they go')
    await moveVersions(trx, caller, moves)
    await writeWorkflow(trx, text, initial)
  })
  return text
}

/**
 * Takes the workflow away; every version is in the open state by then.
 * @throws NotFound, Malformed, Unauthorized, PreconditionFailed
 */
export async function deleteWorkflow(
  { db, vendor }: Services,
  caller: Caller,
  precondition: Precondition,
): Promise<void> {
  const open = { state: vendor.openState, listed: true, changeable: true }
  await inTransaction(db, async (trx) => {
    await lockSiteAdmin(trx, caller)
    const { revision, isInPlace } = await lockWorkflow(trx)
    if (!isInPlace) throw noWorkflow()
    precondition(revision)
    allowLongWork(trx)
    const moves = [{ from: open.state, to: open }]
    await refuseStranded(trx, moves, 'only a workflow has; first put one in place that maps them to the open state')
    await moveVersions(trx, caller, moves)
    await writeWorkflow(trx, null, null)
  })
}

function refuseFindings(body: WorkflowBody): void {
  const findings = checkWorkflow(body)
  if (findings.length === 0) return
  const shown = findings.slice(0, mostShown)
  const sentences = shown.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')
  const more = findings.length > shown.length ? '; and more' : ''
  throw new Malformed(`The workflow cannot be put in place: ${sentences}${more}.`, shown)
}

/** @throws Malformed when versions stand in a state that no move is about; `why` says what that means */
async function refuseStranded(trx: Transaction, moves: readonly Move[], why: string): Promise<void> {
  const stranded = await countOthers(
    trx,
    moves.map(({ from }) => from),
  )
  if (stranded.length === 0) return
  const states = stranded.slice(0, mostShown).map(({ state, count }) => `${state} (${count})`)
  throw new Malformed(`Versions stand in states that ${why}: ${states.join(', ')}.`)
}

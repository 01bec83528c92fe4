import type { Database, Transaction } from '../database/tables.ts'
import { invalidMember, Malformed } from '../fault.ts'
import type { Vendor } from '../vendor.ts'
import { currentWorkflow } from '../workflow/current.ts'
import { namesOf } from '../workflow/workflow.ts'

/**
 * Why a change of a version may not give it another state: actions do that. `trx` is a transaction over `db`, `pointer`
 * leads to the version in the body.
 */
export async function refusedState(
  db: Database,
  trx: Transaction,
  from: string,
  to: string,
  vendor: Vendor,
  pointer: string,
): Promise<Malformed> {
  const workflow = await currentWorkflow(db, trx)
  if (!workflow) return invalidMember(`${pointer}/State`, `must be ${vendor.openState}`)
  const leading = workflow.actionsFrom(from).filter((action) => action.To === to)
  const how =
    leading.length > 0
      ? `only an action changes it, here ${namesOf(leading)}`
      : `only an action changes it, and none leads from there to ${JSON.stringify(to.slice(0, 100))}`
  return invalidMember(`${pointer}/State`, `must stay ${from}: ${how}`)
}

/** Why the content of a version may not change now. */
export function refusedContent(state: string): Malformed {
  return new Malformed(`The version is in the state ${state}, in which its content cannot be changed.`)
}

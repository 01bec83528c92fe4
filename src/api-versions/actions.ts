import type { Static } from 'typebox'
import { type Caller, notEntitled } from '../access/caller.ts'
import { mayRead } from '../access/entitlement.ts'
import { invalidMember, Malformed } from '../fault.ts'
import { storedId } from '../ids.ts'
import type { Services } from '../services.ts'
import { currentWorkflow } from '../workflow/current.ts'
import { type Action, isFor, namesOf, takeable, unmetConditions, type Workflow } from '../workflow/workflow.ts'
import type { ActionRequest, WorkflowActions } from './action-schemas.ts'
import { readStanding, type VersionStanding } from './standing.ts'
import { notReadable } from './store.ts'

/**
 * The actions that the caller may take on a version now; none without a workflow.
 * @throws NotFound, Unauthorized
 */
export async function offeredActions(
  { db, vendor }: Services,
  caller: Caller,
  versionId: string,
): Promise<Static<typeof WorkflowActions>> {
  const id = storedId(vendor, versionId, 'version')
  const version = await readStanding(db, caller, id, versionId, false)
  if (!(await mayRead(db, caller, version.audience, version.groupId))) throw notReadable(caller)
  const workflow = await currentWorkflow(db, db)
  if (!workflow) return { Action: [] }
  return {
    Action: takeable(workflow, version.state, version.standings, version.facts).map((action) => ({
      Name: action.Name,
      Title: action.Title || action.Name,
      To: action.To,
      ToTitle: workflow.states.get(action.To)?.Title || action.To,
      CommentRequired: action.CommentRequired ?? false,
    })),
  }
}

/**
 * The action that the caller asks to take on a version.
 * @throws Malformed when it is not possible, lacks a comment or a condition is not met; Unauthorized when it is for others
 */
export function chosenAction(
  workflow: Workflow | null,
  { state, standings, facts }: VersionStanding,
  caller: Caller,
  { ActionName, Comments }: Static<typeof ActionRequest>,
): Action {
  if (!workflow) throw new Malformed('No workflow is in place: versions have no actions.')
  const action = workflow.actionsFrom(state).find(({ Name }) => Name === ActionName)
  if (!action) {
    const possible = namesOf(takeable(workflow, state, standings, facts)) || 'nothing'
    throw invalidMember('/ActionName', `is not possible in the state ${state}; possible for you: ${possible}`)
  }
  if (!isFor(action, standings)) throw notEntitled(caller, `this needs ${who(action)}`)
  if (action.CommentRequired && !Comments?.trim()) {
    throw invalidMember('/Comments', `is required for ${namesOf([action])}`)
  }
  const unmet = unmetConditions(action, facts)
  if (unmet.length > 0) throw invalidMember('/ActionName', `needs of the version ${unmet.join(' and ')}`)
  return action
}

const people: Record<string, string> = {
  APIAdmin: 'an API Admin of the API',
  BusinessAdmin: 'a Business Admin',
  SiteAdmin: 'a Site Admin',
}

function who({ Who }: Action): string {
  return Who.map((standing) => people[standing]).join(' or ')
}

import { send } from './client.ts'
import { example, type Site } from './site.ts'

const path = '/api/workflows/apiversion'

/** Puts the example of a workflow in place, where versions begin in the open state. */
export async function putWorkflow({ service, headers }: Site): Promise<void> {
  const { InitialAction, ...workflow } = JSON.parse(example('workflow-review.json'))
  const open = 'com.platform.api.state.open'
  const rework = { Name: 'Check again', From: [open], To: InitialAction.To, Who: ['BusinessAdmin'] }
  await send(service.url, {
    method: 'PUT',
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...workflow,
      InitialAction: { ...InitialAction, To: open },
      Action: [...workflow.Action, rework],
    }),
  })
}

/** Takes it away, if it is in place. */
export async function removeWorkflow({ service, headers, database }: Site): Promise<void> {
  const { rows } = await database.query('select from workflow where document is not null')
  if (rows.length > 0) await send(service.url, { method: 'DELETE', path, headers })
}

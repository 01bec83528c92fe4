import { readFileSync } from 'node:fs'
import type { WorkflowBody } from '../../src/workflow/schemas.ts'
import type { Answer, Client } from './client.ts'

export const workflowPath = '/api/workflows/apiversion'

/** The full name of a state. */
export const named = (state: string) => `com.platform.api.state.${state}`

/** A workflow of `examples/`. */
export function exampleWorkflow(name: 'review' | 'life'): WorkflowBody {
  return JSON.parse(readFileSync(new URL(`../../examples/workflow-${name}.json`, import.meta.url), 'utf8'))
}

type ActionMembers = Partial<WorkflowBody['Action'][number]>

/** A workflow in few words: an action is "Name: from, from > to" with whatever else it has; anybody may take it. */
export function workflowOf(initial: string, states: string[], actions: [string, ActionMembers?][] = []): WorkflowBody {
  return {
    InitialAction: { Name: '@Create', To: named(initial) },
    State: states.map((state) => ({ Name: named(state) })),
    Action: actions.map(([words, members]) => {
      const [, Name = '', from = '', to = ''] = /^(.*): (.*) > (.*)$/.exec(words) ?? []
      const Who = ['APIAdmin', 'BusinessAdmin', 'SiteAdmin']
      return { Name, From: from.split(', ').map(named), To: named(to), Who, ...members }
    }),
  }
}

/** Puts a workflow in place; throws unless that is done. */
export async function putWorkflow(siteAdmin: Client, workflow: WorkflowBody): Promise<Answer> {
  const answer = await siteAdmin.send('PUT', workflowPath, { body: workflow })
  if (answer.status !== 200) throw new Error(`could not put the workflow in place: ${answer.text}`)
  return answer
}

/** Takes an action on a version. */
export function act(client: Client, versionId: string, ActionName: string, Comments?: string, headers = {}) {
  const body = { ActionName, ...(Comments !== undefined && { Comments }) }
  return client.post(`/api/workflow/objects/${versionId}/actions`, body, headers)
}

/** The names of the actions that a client may take on a version. */
export async function offered(client: Client, versionId: string): Promise<string[]> {
  const answer = await client.get(`/api/workflow/objects/${versionId}/actions`)
  if (answer.status !== 200) throw new Error(`could not read the actions: ${answer.text}`)
  return answer.json.Action.map(({ Name }: { Name: string }) => Name)
}

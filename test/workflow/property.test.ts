import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { reachableFrom } from '../../src/workflow/reach.ts'
import type { WorkflowBody } from '../../src/workflow/schemas.ts'
import type { Client } from '../support/client.ts'
import { exampleApi } from '../support/examples.ts'
import { startService } from '../support/service.ts'
import { act, named, offered, putWorkflow } from '../support/workflow.ts'

const service = await startService()
const siteAdmin = await service.siteAdmin()
const owner = await service.person('BusinessAdmin')
const apiAdmin = await service.person()
const both = await service.person('SiteAdmin', 'BusinessAdmin')
const stranger = await service.person()
const clients = [siteAdmin, owner.client, apiAdmin.client, both.client, stranger.client]

const states = ['a', 'b', 'c', 'd'].map(named)
const anyWorkflow = fc
  .array(
    fc.record(
      {
        Name: fc.constantFrom('Go', 'Stay', 'Leave'),
        From: fc.uniqueArray(fc.constantFrom(...states), { minLength: 2, maxLength: 4 }),
        To: fc.constantFrom(...states),
        Who: fc.uniqueArray(fc.constantFrom('APIAdmin', 'BusinessAdmin', 'SiteAdmin'), { minLength: 1 }),
        CommentRequired: fc.boolean(),
        Condition: fc.record({ HasDescription: fc.boolean(), HasOperations: fc.boolean() }, { requiredKeys: [] }),
      },
      { requiredKeys: ['Name', 'From', 'To', 'Who'] },
    ),
    { minLength: 3, maxLength: 8 },
  )
  .chain((actions) => fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }).map((flags) => sound(actions, flags)))

/** The workflow of those actions that stay when what would be a finding is left out, with an end for every state. */
function sound(actions: WorkflowBody['Action'], changeable: boolean[]): WorkflowBody {
  const taken = new Set<string>()
  const isFirst = (key: string) => !taken.has(key) && taken.add(key)
  const distinct = actions.map((action) => ({
    ...action,
    From: action.From.filter((state) => isFirst(`${action.Name} ${state}`)),
  }))
  const transitions = states.map((state) =>
    distinct.flatMap(({ From, To }) => (From.includes(state) ? [states.indexOf(To)] : [])),
  )
  const met = reachableFrom([0], transitions)
  const isMet = (state: string) => met[states.indexOf(state)]
  const kept = distinct.map((action) => ({ ...action, From: action.From.filter(isMet) }))
  return {
    InitialAction: { Name: '@Create', To: states[0] as string },
    State: [
      ...states
        .map((Name, place) => ({ Name, ChangesAllowed: changeable[place] ?? true }))
        .filter(({ Name }) => isMet(Name)),
      { Name: named('end') },
    ],
    Action: [
      ...kept.filter(({ From }) => From.length > 0),
      { Name: 'End', From: states.filter(isMet), To: named('end'), Who: ['SiteAdmin'] },
    ],
  }
}

const anyStep = fc.record({
  who: fc.nat({ max: clients.length - 1 }),
  what: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('Go', 'Stay', 'Leave') },
    { weight: 4, arbitrary: fc.constantFrom('End', '@Create', 'replace', 'change') },
  ),
  state: fc.constantFrom(...states, named('end'), named('none')),
  described: fc.boolean(),
})

test('the actions offered are those that succeed, and nothing leads out of the workflow', async () => {
  let taken = 0
  await fc.assert(
    fc.asyncProperty(anyWorkflow, fc.array(anyStep, { minLength: 6, maxLength: 12 }), async (workflow, steps) => {
      await sql`update api_version set state = ${states[0]}`.execute(service.db)
      await putWorkflow(siteAdmin, workflow)
      const id = await newVersion()
      for (const { who, what, state, described } of steps) {
        const client = clients[who] as Client
        const before = (await siteAdmin.get(`/api/apis/versions/${id}`)).json.State
        if (what === 'replace') {
          const body = { Name: '1.0', State: state, ...(described && { Description: 'Pets.' }) }
          await client.send('PUT', `/api/apis/versions/${id}`, { body })
        } else if (what === 'change') {
          await client.send('PUT', `/api/apis/versions/${id}/info`, {
            body: { VersionNotes: described ? 'Pets.' : '' },
          })
        } else {
          const possible = (await offered(client, id)).includes(what)
          const { status, json } = await act(client, id, what, 'A comment.')
          expect([possible, status]).toEqual([
            possible,
            possible ? 200 : expect.toSatisfy((n) => n === 400 || n === 401),
          ])
          if (possible) {
            const { To } = workflow.Action.find(({ Name, From }) => Name === what && From.includes(before)) ?? {}
            expect(json.State).toBe(To)
            taken++
            continue
          }
        }
        expect((await siteAdmin.get(`/api/apis/versions/${id}`)).json.State).toBe(before)
      }
      const rows = await service.db.selectFrom('api_version').select('state').distinct().execute()
      const known = workflow.State.map(({ Name }) => Name)
      expect(rows.filter(({ state }) => !known.includes(state))).toEqual([])
    }),
    { numRuns: 15, endOnFailure: true },
  )
  expect(taken).toBeGreaterThan(5)
})

async function newVersion(): Promise<string> {
  const added = await owner.client.post('/api/apis', {
    ...exampleApi(),
    Visibility: 'Public',
    APIVersion: { Name: '1.0' },
  })
  if (added.status !== 200) throw new Error(added.text)
  await owner.client.post(`/api/groups/${added.json.AdminGroupID}/members`, { UserID: apiAdmin.id })
  return added.json.LatestVersionID
}

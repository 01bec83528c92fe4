import type { Client } from './client.ts'
import { exampleVersion } from './examples.ts'

let apis = 0

/** Adds an API with a version that has these members, and returns the version's path. */
export async function addDescribed(admin: Client, version: object = {}, api: object = {}): Promise<string> {
  const added = await admin.post('/api/apis', {
    Name: `API ${++apis}`,
    Visibility: 'Public',
    ...api,
    APIVersion: { Name: '1.0', ...version },
  })
  if (added.status !== 200) throw new Error(`could not add an API: ${added.text}`)
  return `/api/apis/versions/${added.json.LatestVersionID}`
}

/** Adds the pet store of the examples, and returns the path of its version. */
export function addPetStore(admin: Client, version: object = {}): Promise<string> {
  return addDescribed(admin, { ...exampleVersion(), ...version }, { Name: 'Pet Store' })
}

/** Operations without more than these members. */
export function operationsOf(...members: object[]): { Operations: { Operation: object[] } } {
  return { Operations: { Operation: members.map((each, at) => ({ Name: `operation${at}`, Method: 'GET', ...each })) } }
}

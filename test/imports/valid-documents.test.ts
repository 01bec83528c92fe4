import { describe, expect, test } from 'vitest'
import { problemsOf, problemsOfSwagger12 } from '../support/description-checks.ts'
import { exampleApi, exampleVersion } from '../support/examples.ts'
import { fixtureObject } from '../support/fixtures.ts'
import { descriptorOf } from '../support/form.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()
const v81 = { 'content-type': 'application/vnd.platform.v81+json' }

describe('what independent readers call valid is imported', () => {
  test.each(['petstore-2.0.yaml', 'petstore-3.0.yaml', 'petstore-3.1.yaml'])('%s is such a document', async (name) => {
    // Its own remarks are on style: the documents are the subject here, not they.
    expect(await problemsOf(fixtureObject(name))).toEqual([])
  })

  test('petstore-1.2.json is such a document', () => {
    expect(problemsOfSwagger12(fixtureObject('petstore-1.2.json'))).toEqual([])
  })
})

test.each(['swagger', 'oas30', 'oas31', 'swagger12'])(
  'what is described as %s and imported again is the same',
  async (word) => {
    const api = (await admin.post('/api/apis', { ...exampleApi(), APIVersion: exampleVersion() })).json
    const { text } = await admin.get(`/api/apis/versions/${api.LatestVersionID}/definition/${word}`)
    const { status, json } = await admin.post('/api/apis', { DLDescriptor: await descriptorOf(admin, text) }, v81)
    expect(status).toBe(200)
    const told = ({
      Name,
      Method,
      Path,
      Input,
    }: {
      Name: string
      Method: string
      Path: string
      Input: { Type: string }[]
    }) => ({
      Name,
      Method,
      Path: Path.replace('{path:.+|}', '{path}'),
      Input: Input.filter(({ Type }) => Type === 'path'),
    })
    const sorted = (operations: Parameters<typeof told>[0][]) =>
      operations.map(told).sort((a, b) => (a.Name < b.Name ? -1 : 1))
    expect(sorted(json.APIVersion.Operations.Operation)).toEqual(sorted(api.APIVersion.Operations.Operation))
    expect(json.APIVersion.ProductionEndpoint).toBe(api.APIVersion.ProductionEndpoint)
    expect(json.APIVersion.Name).toBe(api.APIVersion.Name)
  },
)

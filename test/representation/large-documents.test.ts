import { XMLParser } from 'fast-xml-parser'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeDescription } from '../../src/descriptions/write.ts'
import { isLarge } from '../../src/thread.ts'
import type { Client } from '../support/client.ts'
import { descriptorOf } from '../support/form.ts'
import { type Service, startService } from '../support/service.ts'

const v81 = { 'content-type': 'application/vnd.platform.v81+json' }
const xml = { accept: 'application/xml' }

/** A description whose version is large. */
function largeFile(operations: number): string {
  const named = (place: string) => Array.from({ length: 10 }, (_, n) => ({ name: `é${n}`, in: place }))
  const parameters = [{ name: 'id', in: 'path' }, ...named('query'), ...named('header')]
  const get = (n: number) => ({ operationId: `get${n}`, parameters, responses: { 200: { description: 'ok' } } })
  const paths = Object.fromEntries(Array.from({ length: operations }, (_, n) => [`/t${n}/{id}`, { get: get(n) }]))
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Large', version: '1.0' }, paths })
}

/** The paths of an API of such a file, and of its version. */
async function addLarge(admin: Client, operations: number): Promise<{ api: string; version: string }> {
  const DLDescriptor = await descriptorOf(admin, largeFile(operations))
  const { json } = await admin.post('/api/apis', { DLDescriptor }, v81)
  return { api: `/api/apis/${json.APIID}`, version: `/api/apis/versions/${json.APIVersion.APIVersionID}` }
}

let service: Service
let admin: Client
let api: string
let version: string

beforeAll(async () => {
  service = await startService()
  admin = await service.siteAdmin()
  ;({ api, version } = await addLarge(admin, 1000))
})

/** The names of the operations in a version that was read as XML. */
function operationsIn(given: Record<string, unknown>): string[] {
  const { Operations } = given as { Operations: { Operation: { Name: string; Input: unknown[] }[] } }
  return Operations.Operation.map(({ Name, Input }) => `${Name} ${Input.length}`)
}

describe('a large version is written', () => {
  const operations = Array.from({ length: 1000 }, (_, n) => `get${n} 21`)
  const parser = new XMLParser()

  test('as XML, alone and in its API', async () => {
    const alone = await admin.get(version, xml)
    expect(alone.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(operationsIn(parser.parse(alone.text).APIVersion)).toEqual(operations)
    const nested = await admin.get(`${api}?includeDefaultVersion=true`, xml)
    expect(operationsIn(parser.parse(nested.text).API.APIVersion)).toEqual(operations)
    expect((await admin.get(version, { ...xml, 'if-none-match': String(alone.headers.etag) })).status).toBe(304)
  })

  test('in a newer shape', async () => {
    const listed = await admin.get('/api/apis/versions', { accept: 'application/vnd.platform.v81+xml' })
    expect(listed.status).toBe(200)
    expect(operationsIn(parser.parse(listed.text).APIVersions.APIVersion)).toEqual(operations)
  })

  test('without some of its members', async () => {
    const { Endpoints, TargetAPI, ...rest } = (await admin.get(version)).json
    const without = `${version}?IncludeEndpoints=false&IncludeTargetAPI=false`
    expect((await admin.get(without)).json).toEqual(rest)
    expect((await admin.get(without, xml)).text).not.toContain('Endpoints')
  })

  test.each(['oas31', 'oas30', 'swagger', 'swagger12', 'swagger11'])('as %s, in JSON and YAML', async (word) => {
    const stored = { apiName: 'Large', apiSummary: null, apiDescription: null, doc: (await admin.get(version)).text }
    expect(isLarge(stored.doc)).toBe(true)
    const format = word === 'swagger11' ? { path: 't7', operation: undefined } : word
    for (const type of word === 'swagger11' ? ['json'] : ['json', 'yaml']) {
      const path = word === 'swagger11' ? 'swagger/t7' : `definition/${word}`
      const answer = await admin.get(`${version}/${path}`, { accept: `application/${type}` })
      const { content, notExpressed } = writeDescription(stored, { format, yaml: type === 'yaml' })
      expect(answer.text).toBe(content)
      expect(answer.headers['x-not-expressed']).toBe(notExpressed)
      expect(answer.headers['content-type']).toBe(`application/${type}; charset=utf-8`)
      expect(answer.headers['content-disposition']).toBe(`attachment; filename="Large.${type}"`)
    }
  })
})

test.each([
  ['XML', '', xml],
  ['a description', '/definition/swagger12', { accept: 'application/yaml' }],
])('while a very large version is written as %s, others are answered', async (_, path, headers) => {
  const large = (await addLarge(admin, 4500)).version
  // So that the thread is there, and what it runs is compiled.
  await admin.get(version + path, headers)
  let isWritten = false
  const writing = admin.get(large + path, headers).finally(() => {
    isWritten = true
  })
  const waits: number[] = []
  while (!isWritten) {
    const start = performance.now()
    await admin.get('/livez')
    waits.push(performance.now() - start)
  }
  expect((await writing).status).toBe(200)
  // Were it written in between, one of them would have waited for nearly all of it.
  expect(Math.max(...waits)).toBeLessThan(waits.reduce((sum, wait) => sum + wait, 0) / 2)
})

test('one too many hears 503, and nothing of what would have been answered', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => admin.get(version, xml)))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(21)
  for (const { status, text, headers } of refused) {
    expect([status, headers['retry-after'], headers.etag]).toEqual([503, '1', undefined])
    expect(text).toContain('<faultcode>Unavailable</faultcode>')
  }
})

import fc from 'fast-check'
import { convert } from 'swagger-converter'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Client } from '../support/client.ts'
import { describableVersion } from '../support/describable-version.ts'
import { addDescribed, addPetStore, operationsOf } from '../support/described-apis.ts'
import { problemsOf, problemsOfSwagger12 } from '../support/description-checks.ts'
import { startService } from '../support/service.ts'
import { apiOf, newName } from '../support/version-body.ts'

const service = await startService()
const anyone = service.client()
let admin: Client
let petStore: string

beforeAll(async () => {
  admin = await service.siteAdmin()
  petStore = await addPetStore(admin)
})

const defined = async (version: string, word: string) => (await admin.get(`${version}/definition/${word}`)).json
const words = ['swagger', 'swagger12', 'oas30', 'oas31', 'oas3', 'openapi']
const jsonTypes = ['application/json', ...['v71', 'v72', 'v80', 'v81'].map((v) => `application/vnd.platform.${v}+json`)]

test.each([
  ['swagger', { swagger: '2.0' }],
  ['swagger12', { swaggerVersion: '1.2' }],
  ['oas30', { openapi: '3.0.3' }],
  ['oas31', { openapi: '3.1.0' }],
  ['oas3', { openapi: '3.1.0' }],
  ['openapi', { openapi: '3.1.0' }],
])('the word %s', async (word, marker) => {
  const answer = await anyone.get(`${petStore}/definition/${word}`)
  expect(answer.status).toBe(200)
  expect(answer.json).toMatchObject(marker)
  expect(answer.headers.deprecation).toBeUndefined()
})

test.each(['swagger11', 'Swagger', 'oas32', '__proto__', 'constructor', '%00', 'x'.repeat(5000), '%F0%9F%98%80'])(
  'an unknown word is a 404 that lists the known ones: %s',
  async (word) => {
    const answer = await anyone.get(`${petStore}/definition/${word}`)
    expect(answer.status).toBe(404)
    expect(answer.json.faultcode).toBe('NotFound')
    expect(answer.json.faultstring).toContain(words.join(', '))
  },
)

describe.each(words)('the media types of %s', (word) => {
  test.each(jsonTypes)('%s', async (accept) => {
    const answer = await anyone.get(`${petStore}/definition/${word}`, { accept })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe(`${accept}; charset=utf-8`)
    expect(answer.headers['content-disposition']).toBe('attachment; filename="Pet Store.json"')
    expect(answer.json).toEqual((await anyone.get(`${petStore}/definition/${word}`)).json)
  })

  test.each(['application/yaml', 'text/yaml'])('%s, which holds the same as JSON', async (accept) => {
    const answer = await anyone.get(`${petStore}/definition/${word}`, { accept })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe(`${accept}; charset=utf-8`)
    expect(answer.headers['content-disposition']).toBe('attachment; filename="Pet Store.yaml"')
    expect(answer.text).not.toMatch(/^\s*[{[]/)
    expect(parse(answer.text)).toEqual((await anyone.get(`${petStore}/definition/${word}`)).json)
  })

  test.each(['application/xml', 'text/html', 'application/vnd.platform.v80+yaml'])('%s: 406', async (accept) => {
    expect((await anyone.get(`${petStore}/definition/${word}`, { accept })).status).toBe(406)
  })
})

test('a fault is YAML for those who ask for YAML', async () => {
  const answer = await anyone.get(`${petStore}/definition/none`, { accept: 'application/yaml' })
  expect(answer.status).toBe(404)
  expect(answer.headers['content-type']).toBe('application/yaml; charset=utf-8')
  expect(parse(answer.text)).toMatchObject({ faultcode: 'NotFound', status: 404 })
})

test('the texts: name and summary of the API, name and description of the version', async () => {
  const version = await addDescribed(
    admin,
    { Name: '2.0 β', Description: 'Of the version.' },
    { Name: 'Pets "&" more' },
  )
  const summarised = await admin.send('PUT', `${version}/info`, { body: { ApiSummary: 'In a line.' } })
  expect(summarised.status).toBe(200)
  const text = { title: 'Pets "&" more', version: '2.0 β', description: 'Of the version.' }
  expect((await defined(version, 'oas31')).info).toEqual({ ...text, summary: 'In a line.' })
  expect((await defined(version, 'oas30')).info).toEqual({ ...text, 'x-summary': 'In a line.' })
  expect((await defined(version, 'swagger')).info).toEqual({ ...text, 'x-summary': 'In a line.' })
  expect((await defined(version, 'swagger12')).apiVersion).toBe('2.0 β')
})

test('a version without a description has that of its API, if any', async () => {
  const described = await addDescribed(admin, {}, { Description: 'Of the API.' })
  expect((await defined(described, 'oas31')).info.description).toBe('Of the API.')
  expect((await defined(await addDescribed(admin), 'oas31')).info).not.toHaveProperty('description')
})

test.each(['definition/swagger12', 'swagger/all'])('%s has no place for texts, and says so', async (path) => {
  const said = async (version: string) =>
    JSON.parse(String((await admin.get(`${version}/${path}`)).headers['x-not-expressed'] ?? '[]'))
  const version = await addDescribed(admin, {}, { Description: 'Of the API.' })
  expect(await said(version)).toEqual([{ reason: 'the description: the format has no place for it' }])
  await admin.send('PUT', `${version}/info`, { body: { ApiSummary: 'In a line.' } })
  expect(await said(version)).toEqual([
    { reason: 'the summary: the format has no place for it' },
    { reason: 'the description: the format has no place for it' },
  ])
  expect(await said(await addDescribed(admin))).toEqual([])
})

test.each([
  ['with a back end', { TargetAPI: { Type: 'shttp', Policies: { Policy: [] } } }],
  ['without', {}],
])('texts that look like members of a stored version, %s', async (_, members) => {
  const Description = 'ü,"TargetAPI":{,"Policies":{"'
  const operation = { Name: Description, Method: 'GET', Path: `/x/${Description}`, Input: [{ Name: Description }] }
  const version = await addDescribed(admin, { ...members, ...operationsOf(operation), Description })
  const document = await defined(version, 'oas31')
  expect(document.info.description).toBe(Description)
  const [item] = Object.values(document.paths)
  expect(item).toMatchObject({ get: { operationId: Description } })
})

describe('endpoints', () => {
  const endpoints = {
    ProductionEndpoint: 'https://api.example.com/v1/',
    SandboxEndpoint: 'http://api.example.com/v1',
    Endpoints: {
      Endpoint: [
        { Uri: 'https://gateway.example.com', Category: 'Production', CName: 'gateway' },
        { Uri: 'https://gateway.example.com/', CName: 'again' },
        { Uri: 'https://other.example.com:8443/{env}?x=1', CName: 'other' },
      ],
    },
  }

  test('OpenAPI has each as a server', async () => {
    const version = await addDescribed(admin, endpoints)
    for (const word of ['oas30', 'oas31']) {
      const document = await defined(version, word)
      expect(document.servers).toEqual([
        { url: 'https://api.example.com/v1', description: 'Production' },
        { url: 'http://api.example.com/v1', description: 'Sandbox' },
        { url: 'https://gateway.example.com', description: 'Production' },
        { url: 'https://other.example.com:8443/%7Benv%7D', description: 'other' },
      ])
      expect(document['x-not-expressed']).toEqual([
        { reason: 'the query or fragment of the endpoint https://other.example.com:8443/{env}?x=1' },
      ])
    }
  })

  test('Swagger 2.0 has a place for one host and path, and says which it leaves out', async () => {
    const document = await defined(await addDescribed(admin, endpoints), 'swagger')
    expect(document).toMatchObject({ host: 'api.example.com', basePath: '/v1', schemes: ['https', 'http'] })
    const omitted = document['x-not-expressed'].map(({ reason }: { reason: string }) => reason).join('\n')
    expect(omitted).toContain('https://gateway.example.com')
    expect(omitted).toContain('https://other.example.com:8443')
  })

  test('Swagger 1.2 has a place for one, and says which it leaves out', async () => {
    const { ProductionEndpoint, SandboxEndpoint } = endpoints
    const version = await addDescribed(admin, { ProductionEndpoint, SandboxEndpoint })
    const { headers, json } = await admin.get(`${version}/definition/swagger12`)
    expect(json.basePath).toBe('https://api.example.com/v1')
    expect(JSON.parse(headers['x-not-expressed'] as string)).toEqual([
      { reason: 'the endpoint http://api.example.com/v1: there is a place for one' },
    ])
  })

  test('Swagger 2.0 knows no IPv6 address', async () => {
    const onlyOne = await defined(await addDescribed(admin, { SandboxEndpoint: 'http://[::1]:80/x' }), 'swagger')
    expect(onlyOne).not.toHaveProperty('host')
    expect(onlyOne['x-not-expressed'][0].reason).toContain('[::1]')
  })

  test('a version without endpoints', async () => {
    const version = await addDescribed(admin, { TargetAPI: { Endpoints: endpoints.Endpoints } })
    expect(await defined(version, 'oas31')).not.toHaveProperty('servers')
    for (const name of ['host', 'basePath', 'schemes']) {
      expect(await defined(version, 'swagger')).not.toHaveProperty(name)
    }
    expect((await defined(version, 'swagger12')).basePath).toBe('http://no-endpoint.invalid')
  })
})

describe('operations', () => {
  const upload = {
    Name: 'upload',
    Method: 'POST',
    Path: '/files/{path:.+|}',
    Input: [
      { Name: 'path', Type: 'path' },
      { Name: 'size', Type: 'query' },
      { Name: 'X-Trace', Type: 'header' },
      { Name: 'session', Type: 'cookie' },
      { Name: 'title', Type: 'form' },
    ],
    InputContentType: 'multipart/form-data, application/json',
    OutputContentType: 'application/json',
    FaultContentType: 'application/problem+json',
  }

  const oneList = {
    operation: 'upload',
    reason: 'its FaultContentType (application/problem+json): the format has one list for all answers',
  }

  test('as OpenAPI', async () => {
    const version = await addDescribed(admin, operationsOf(upload))
    for (const word of ['oas30', 'oas31']) {
      const document = await defined(version, word)
      const schema = { type: 'string' }
      expect(document.paths).toEqual({
        '/files/{path}': {
          post: {
            operationId: 'upload',
            parameters: [
              { name: 'path', in: 'path', required: true, schema },
              { name: 'size', in: 'query', schema },
              { name: 'X-Trace', in: 'header', schema },
              { name: 'session', in: 'cookie', schema },
            ],
            requestBody: {
              content: {
                'multipart/form-data': { schema: { type: 'object', properties: { title: schema } } },
                'application/json': {},
              },
            },
            responses: {
              200: { description: 'Success.', content: { 'application/json': {} } },
              default: { description: 'A fault.', content: { 'application/problem+json': {} } },
            },
          },
        },
      })
      expect(document).not.toHaveProperty('x-not-expressed')
    }
  })

  test('as Swagger 2.0', async () => {
    const document = await defined(await addDescribed(admin, operationsOf(upload)), 'swagger')
    const type = 'string'
    expect(document.paths).toEqual({
      '/files/{path}': {
        post: {
          operationId: 'upload',
          consumes: ['multipart/form-data', 'application/json'],
          produces: ['application/json', 'application/problem+json'],
          parameters: [
            { name: 'path', in: 'path', required: true, type },
            { name: 'size', in: 'query', type },
            { name: 'X-Trace', in: 'header', type },
            { name: 'title', in: 'formData', type },
          ],
          responses: { 200: { description: 'Success.' }, default: { description: 'A fault.' } },
        },
      },
    })
    expect(document['x-not-expressed']).toEqual([
      { operation: 'upload', reason: 'its input "session": the format has no cookies' },
      oneList,
    ])
  })

  test('as Swagger 1.2, which has no place for what it leaves out but a header', async () => {
    const version = await addDescribed(admin, operationsOf(upload, { Name: 'a b', Path: '/files', Method: 'HEAD' }))
    const answer = await anyone.get(`${version}/definition/swagger12`)
    const type = 'string'
    expect(answer.json.apis).toEqual([
      {
        path: '/files/{path}',
        operations: [
          {
            method: 'POST',
            nickname: 'upload',
            type,
            parameters: [
              { paramType: 'path', name: 'path', type, required: true },
              { paramType: 'query', name: 'size', type, required: false },
              { paramType: 'header', name: 'X-Trace', type, required: false },
              { paramType: 'form', name: 'title', type, required: false },
            ],
            consumes: ['multipart/form-data', 'application/json'],
            produces: ['application/json', 'application/problem+json'],
          },
        ],
      },
    ])
    expect(answer.json.resourcePath).toBe('/files/{path}')
    expect(JSON.parse(answer.headers['x-not-expressed'] as string)).toEqual([
      { operation: 'upload', reason: 'its input "session": the format has no cookies' },
      oneList,
      { operation: 'a b', reason: 'HEAD is no method of this format' },
    ])
  })

  test.each([
    ['application/json', 'text/plain', '(text/plain)'],
    ['text/plain, application/json', 'application/json', '(application/json)'],
    ['application/json', 'text/plain, application/json', '(text/plain, application/json)'],
    ['', 'text/plain', '(text/plain)'],
    ['application/json', '', undefined],
    ['text/plain, application/json', 'application/json, text/plain', undefined],
  ])(
    'Swagger says which types of %j and %j are those of faults',
    async (OutputContentType, FaultContentType, types) => {
      const operation = { Path: '/a', OutputContentType, FaultContentType }
      const version = await addDescribed(admin, operationsOf(operation))
      const reason = `its FaultContentType ${types}: the format has one list for all answers`
      const said = types === undefined ? [] : [{ operation: 'operation0', reason }]
      expect((await defined(version, 'swagger'))['x-not-expressed'] ?? []).toEqual(said)
      const { headers } = await admin.get(`${version}/definition/swagger12`)
      expect(JSON.parse(String(headers['x-not-expressed'] ?? '[]'))).toEqual(said)
    },
  )

  test('Swagger 1.2 wants a body to be called body, and different names whatever the places', async () => {
    const inputs = ['path', 'query', 'body', 'header'].map((Type) => ({ Name: 'a', Type }))
    const version = await addDescribed(admin, operationsOf({ Method: 'PUT', Path: '/{a}', Input: inputs }))
    const { json, headers } = await anyone.get(`${version}/definition/swagger12`)
    expect(json.apis[0].operations[0].parameters).toEqual([
      { paramType: 'path', name: 'a', type: 'string', required: true },
      { paramType: 'body', name: 'body', description: 'a', type: 'string', required: false },
    ])
    const reason = 'its input "a": the name stands for another one'
    expect(JSON.parse(headers['x-not-expressed'] as string)).toEqual([
      { operation: 'operation0', reason },
      { operation: 'operation0', reason },
    ])
  })

  test('an operation that takes media types has a body', async () => {
    const version = await addDescribed(
      admin,
      operationsOf(
        { Method: 'PUT', Path: '/a', InputContentType: 'image/png' },
        { Method: 'GET', Path: '/a', InputContentType: 'image/png' },
        { Method: 'PATCH', Path: '/a', Input: [{ Name: 'pet', Type: 'body' }] },
      ),
    )
    const put = { content: { 'image/png': {} } }
    const patch = { description: 'pet', content: { '*/*': {} } }
    const oas30 = await defined(version, 'oas30')
    expect(oas30.paths['/a']).toMatchObject({ put: { requestBody: put }, patch: { requestBody: patch } })
    expect(oas30.paths['/a'].get).not.toHaveProperty('requestBody')
    expect(oas30['x-not-expressed']).toEqual([
      { operation: 'operation1', reason: 'its body (image/png): in this format GET has none' },
    ])
    expect((await defined(version, 'oas31')).paths['/a'].get.requestBody).toEqual(put)
    const swagger = await defined(version, 'swagger')
    expect(swagger.paths['/a'].put.parameters).toEqual([{ name: 'body', in: 'body', schema: {} }])
    expect(swagger.paths['/a'].patch.parameters).toEqual([{ name: 'pet', in: 'body', schema: {} }])
    expect(swagger.paths['/a'].get).not.toHaveProperty('parameters')
  })
})

describe('what the formats forbid is mended or said', () => {
  const said = async (word: string, ...operations: object[]) => {
    const document = await defined(await addDescribed(admin, operationsOf(...operations)), word)
    return { document, reasons: document['x-not-expressed'] as { operation: string; reason: string }[] }
  }

  test.each(['oas30', 'oas31'])('a field of a form that readers take for a reference, in %s', async (word) => {
    const Input = ['$ref', 'a'].map((Name) => ({ Name, Type: 'formData' }))
    const { document, reasons } = await said(word, { Method: 'POST', Path: '/a', Input })
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    expect(document.paths['/a'].post.requestBody.content).toEqual({ 'application/x-www-form-urlencoded': { schema } })
    expect(reasons).toEqual([{ operation: 'operation0', reason: 'its input "$ref": readers take it for a reference' }])
    expect(await problemsOf(document)).toEqual([])
  })

  test('names that repeat: a number makes the id unique, the summary keeps the name', async () => {
    const names = ['a', 'a', 'a_2', 'a'].map((Name, at) => ({ Name, Path: `/${at}` }))
    const { document, reasons } = await said('oas31', ...names)
    const ids = Object.values(document.paths as Record<string, { get: object }>).map(({ get }) => get)
    expect(ids).toMatchObject([
      { operationId: 'a' },
      { operationId: 'a_3', summary: 'a' },
      { operationId: 'a_2' },
      { operationId: 'a_4', summary: 'a' },
    ])
    expect(reasons).toBeUndefined()
  })

  test('paths that differ in the names of variables only are one', async () => {
    const operations = [{ Path: '/{a}' }, { Path: '/{b:.+|}', Method: 'PUT' }, { Path: '/{c}' }]
    const { document, reasons } = await said('swagger', ...operations)
    expect(Object.keys(document.paths)).toEqual(['/{a}'])
    expect(document.paths['/{a}'].put.parameters).toMatchObject([{ name: 'a', in: 'path' }])
    expect(reasons).toEqual([
      { operation: 'operation1', reason: 'the names in its path /{b}: here it is /{a}' },
      { operation: 'operation2', reason: 'GET /{c} is described as "operation0" already' },
    ])
  })

  test.each([
    [{ Method: 'CONNECT', Path: '/a' }, 'CONNECT is no method of this format'],
    [{ Method: 'link', Path: '/a' }, 'LINK is no method of this format'],
    [{ Method: undefined, Path: '/a' }, 'it has no Method'],
    [{}, 'it has no Path'],
    [{ Path: '/a?b=c' }, 'its path holds a query or fragment'],
    [{ Path: '/a', Input: [{ Name: 'b', Type: 'path' }] }, 'its input "b" is not in its path'],
    [
      { Path: '/a', Input: [{ Name: 'b', Type: 'x' }] },
      'its input "b" is of the type "x", which is no place in a request',
    ],
    [
      { Path: '/a', OutputContentType: 'rubbish, application/json, garbage' },
      'no media type in OutputContentType: "rubbish", "garbage"',
    ],
  ])('%j', async (operation, reason) => {
    for (const word of ['swagger', 'oas30', 'oas31']) {
      const { reasons } = await said(word, operation)
      expect(reasons).toEqual([{ operation: 'operation0', reason }])
    }
  })

  test('a long reason is cut in the header of Swagger 1.2, which names its operation all the same', async () => {
    const OutputContentType = Array.from({ length: 200 }, (_, n) => `rubbish${n}`).join()
    const version = await addDescribed(admin, operationsOf({ Path: '/a', OutputContentType }))
    expect((await defined(version, 'oas31'))['x-not-expressed'][0].reason).toContain('"rubbish199"')
    const { headers } = await admin.get(`${version}/definition/swagger12`)
    const [first] = JSON.parse(String(headers['x-not-expressed']))
    expect(first.operation).toBe('operation0')
    expect(first.reason).toMatch(/^no media type in OutputContentType: "rubbish0".*\.\.\.$/)
  })

  test('TRACE is a method of OpenAPI, not of Swagger', async () => {
    expect((await said('oas30', { Method: 'TRACE', Path: '/a' })).reasons).toBeUndefined()
    expect((await said('swagger', { Method: 'TRACE', Path: '/a' })).reasons).toHaveLength(1)
  })
})

test('the pet store is valid in each format, and a reader of Swagger 1 finds in 1.2 what 2.0 says', async () => {
  for (const word of ['swagger', 'oas30', 'oas31']) expect(await problemsOf(await defined(petStore, word))).toEqual([])
  const older = await defined(petStore, 'swagger12')
  expect(problemsOfSwagger12(older)).toEqual([])
  const read = convert(older, {})
  const operations = (paths: typeof read.paths) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, parameters = [] }]) => ({
        path,
        method,
        operationId,
        parameters: parameters.map((each) => [each.in, each.name]),
      })),
    )
  expect(operations(read.paths)).toEqual(operations((await defined(petStore, 'swagger')).paths))
})

interface Omission {
  operation?: string
  reason: string
}

/** The operations of a document of any format, each with the name that it was stored with. */
function operationsIn(document: object): { name: string; text: string }[] {
  const { apis, paths } = document as { apis?: { operations: object[] }[]; paths: Record<string, object> }
  const all = apis
    ? apis.flatMap(({ operations }) => operations)
    : Object.values(paths).flatMap((p) => Object.values(p))
  return all.map((operation: Record<string, string>) => ({
    name: (apis ? (operation.notes ?? operation.nickname) : (operation.summary ?? operation.operationId)) ?? '',
    text: JSON.stringify(operation),
  }))
}

const leftOut = /^(it has no |[A-Z-]+ is no method|its path holds|.* already$)/s

/** Each operation and each input of it is in the document or among what was left out. */
function expectWhole(sent: Sent[], document: object, omissions: Omission[]): void {
  const found = operationsIn(document)
  for (const name of new Set(sent.map(({ Name }) => Name))) {
    const mine = sent.filter(({ Name }) => Name === name)
    const there = found.filter((each) => each.name === name)
    const reasons = omissions.filter(({ operation }) => operation === name).map(({ reason }) => reason)
    expect(there.length + reasons.filter((reason) => leftOut.test(reason)).length).toBe(mine.length)
    if (mine.length !== 1 || there.length !== 1) continue
    for (const { Name } of mine[0]?.Input ?? []) {
      const inPath = Name.trim().replace(/[/?#{}]/g, '_') || 'parameter'
      const texts = [there[0]?.text ?? '', ...reasons]
      const isSaid = [Name, inPath].some((word) => texts.some((text) => text.includes(JSON.stringify(word))))
      expect(isSaid || reasons.some((reason) => reason.startsWith('the names in its path'))).toBe(true)
    }
  }
}

interface Sent {
  Name: string
  Input?: { Name: string }[]
}

test('any version is valid in each format, in JSON and YAML; what is not in it is said', async () => {
  const { versions } = await apiOf(admin)
  await fc.assert(
    fc.asyncProperty(describableVersion, async (body) => {
      const added = await admin.post(versions, { ...body, Name: newName() })
      expect(added.status).toBe(200)
      for (const word of ['swagger', 'swagger12', 'oas30', 'oas31']) {
        const path = `/api/apis/versions/${added.json.APIVersionID}/definition/${word}`
        const { json, headers } = await admin.get(path)
        expect(word === 'swagger12' ? problemsOfSwagger12(json) : await problemsOf(json)).toEqual([])
        const yaml = (await admin.get(path, { accept: 'application/yaml' })).text
        for (const version of ['1.1', '1.2'] as const) {
          expect(JSON.stringify(parse(yaml, { version }))).toBe(JSON.stringify(json))
        }
        const said = json['x-not-expressed'] ?? JSON.parse((headers['x-not-expressed'] as string) ?? '[]')
        const isCut = said.some(({ reason }: Omission) => /^and \d+ more$/.test(reason))
        if (!isCut) expectWhole(body.Operations.Operation, json, said)
      }
    }),
    { numRuns: 40 },
  )
}, 120_000)

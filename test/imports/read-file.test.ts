import { describe, expect, test } from 'vitest'
import { formFields } from '../../src/imports/form-fields.ts'
import { readFile } from '../../src/imports/read-file.ts'
import { fixture, fixtureObject, fixtures } from '../support/fixtures.ts'

const read = (content: unknown, name = 'file.json') => {
  const bytes = Buffer.isBuffer(content)
    ? content
    : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
  const file = readFile(bytes, name)
  return { ...file, version: JSON.parse(file.version) }
}
const operations = (content: unknown) => read(content).version.Operations.Operation
const openapi = (paths: object, more = {}) => ({ openapi: '3.0.0', info: { title: 't', version: '1' }, paths, ...more })
const ok = { responses: { 200: { description: 'ok' } } }

describe('documents of every format', () => {
  test('OpenAPI 3.0', () => {
    const { descriptorType, mediaType, serviceName, version } = read(fixture('petstore-3.0.yaml'))
    expect({ descriptorType, mediaType, serviceName }).toEqual({
      descriptorType: 'OpenAPI 3.0',
      mediaType: 'application/yaml',
      serviceName: 'Petstore - OpenAPI 3.0',
    })
    const servers = ['https://eu.petstore.example.com:443/api/v3', 'https://staging.petstore.example.com/api/v3']
    expect(version).toEqual({
      Name: '1.0.20',
      Description: 'A sample Pet Store Server based on the OpenAPI 3.0 specification.',
      Tag: ['pet'],
      ProductionEndpoint: servers[0],
      TargetAPI: { Endpoints: { Endpoint: servers.map((Uri) => ({ Uri, Category: 'Production' })) } },
      Operations: {
        Operation: [
          {
            Name: 'getPetById',
            Method: 'GET',
            Path: '/pet/{petId}',
            Input: [
              { Name: 'petId', Type: 'path' },
              { Name: 'X-Trace', Type: 'header' },
              { Name: 'expand', Type: 'query' },
              { Name: 'session', Type: 'cookie' },
            ],
            OutputContentType: 'application/json, application/xml',
            FaultContentType: 'application/problem+json',
          },
          {
            Name: 'updatePet',
            Method: 'PUT',
            Path: '/pet/{petId}',
            Input: [
              { Name: 'petId', Type: 'path' },
              { Name: 'X-Trace', Type: 'header' },
              { Name: 'body', Type: 'body' },
            ],
            InputContentType: 'application/json, application/xml',
          },
          {
            Name: 'postPetPetIdUploadImage',
            Method: 'POST',
            Path: '/pet/{petId}/uploadImage',
            Input: [
              { Name: 'petId', Type: 'path' },
              { Name: 'caption', Type: 'form' },
              { Name: 'file', Type: 'form' },
              { Name: 'body', Type: 'body' },
            ],
            InputContentType: 'multipart/form-data, application/octet-stream',
            OutputContentType: 'application/json',
          },
          {
            Name: 'download',
            Method: 'GET',
            Path: '/files/{path}',
            Input: [{ Name: 'path', Type: 'path' }],
            OutputContentType: '*/*',
            FaultContentType: '*/*',
          },
        ],
      },
    })
  })

  test('OpenAPI 3.1, with anchors, merges and shared path items', () => {
    const { descriptorType, version } = read(fixture('petstore-3.1.yaml'))
    expect(descriptorType).toBe('OpenAPI 3.1')
    expect(version.Name).toBe('2.0')
    expect(
      version.Operations.Operation.map(({ Name, Method, Path }: Record<string, string>) => `${Name} ${Method} ${Path}`),
    ).toEqual(['listPets GET /pets', 'addPet POST /pets', 'listVisits GET /visits', 'importPets PUT /imports'])
  })

  test('Swagger 2.0', () => {
    const { descriptorType, version } = read(fixture('petstore-2.0.yaml'))
    expect(descriptorType).toBe('Swagger 2.0')
    expect(version).toMatchObject({
      Name: '1.0.7',
      Tag: ['pet', 'store'],
      ProductionEndpoint: 'https://petstore.example.com/v2',
    })
    expect(version.TargetAPI.Endpoints.Endpoint).toHaveLength(2)
    const [addPet, find, get, remove, upload, inventory] = version.Operations.Operation
    expect(addPet).toEqual({
      Name: 'addPet',
      Method: 'POST',
      Path: '/pet',
      Input: [{ Name: 'pet', Type: 'body' }],
      InputContentType: 'application/json, application/xml',
      OutputContentType: 'application/json, application/xml',
      FaultContentType: 'application/json, application/xml',
    })
    expect(find.Input).toEqual([{ Name: 'status', Type: 'query' }])
    expect(get).not.toHaveProperty('FaultContentType')
    expect(get).not.toHaveProperty('InputContentType')
    expect(remove.Input).toEqual([
      { Name: 'petId', Type: 'path' },
      { Name: 'api_key', Type: 'header' },
    ])
    expect(upload.Input.map(({ Type }: { Type: string }) => Type)).toEqual(['path', 'form', 'form'])
    expect(upload.InputContentType).toBe('multipart/form-data')
    expect(inventory.Name).toBe('getStoreInventory')
  })

  test('Swagger 1.2', () => {
    const { descriptorType, serviceName, version } = read(fixture('petstore-1.2.json'))
    expect([descriptorType, serviceName]).toEqual(['Swagger 1.2', 'pet'])
    expect(version).toMatchObject({ Name: '1.0.0', ProductionEndpoint: 'http://petstore.example.com/api' })
    expect(version.Operations.Operation).toEqual([
      {
        Name: 'getPetById',
        Method: 'GET',
        Path: '/pet/{petId}',
        Input: [{ Name: 'petId', Type: 'path' }],
        OutputContentType: 'application/json, application/xml',
        FaultContentType: 'application/json, application/xml',
      },
      {
        Name: 'updatePetWithForm',
        Method: 'POST',
        Path: '/pet/{petId}',
        Input: [
          { Name: 'petId', Type: 'path' },
          { Name: 'name', Type: 'form' },
        ],
        InputContentType: 'application/x-www-form-urlencoded',
        OutputContentType: 'application/json, application/xml',
      },
      {
        Name: 'addPet',
        Method: 'POST',
        Path: '/pet',
        Input: [{ Name: 'body', Type: 'body' }],
        InputContentType: 'application/json',
        OutputContentType: 'application/json, application/xml',
      },
    ])
  })

  test('Swagger 1.1, whose nicknames may repeat', () => {
    const { descriptorType, version } = read(fixture('petstore-1.1.json'))
    expect(descriptorType).toBe('Swagger 1.1')
    expect(version.Operations.Operation.map(({ Name, Path }: Record<string, string>) => [Name, Path])).toEqual([
      ['getPetById', '/pet.{format}/{petId}'],
      ['findPetsByStatus', '/pet.{format}/findByStatus'],
      ['findPetsByStatus_2', '/pet.{format}/findByStatus'],
    ])
  })

  test.each(fixtures)('%s reads alike as JSON and as YAML', (name) => {
    const asJson = read(fixtureObject(name))
    expect(asJson.mediaType).toBe('application/json')
    expect(read(fixture(name)).version).toEqual(asJson.version)
  })

  test('YAML keeps text as it is written', () => {
    const { version } = read(
      'openapi: 3.0.0\ninfo: {title: yes, version: 1.10}\npaths: {/a: {get: {operationId: 007}}}',
    )
    expect(version.Name).toBe('1.10')
    expect(version.Operations.Operation[0].Name).toBe('007')
  })
})

test.each([
  ['a.test', 'v2', 'https://a.test/v2'],
  ['a.test:8443', '/', 'https://a.test:8443'],
  ['http://a.test', '/v2', undefined],
  ['a.test/v2', undefined, 'https://a.test/v2'],
])('host %s and basePath %s of Swagger 2.0 lead to %s', (host, basePath, address) => {
  const document = { swagger: '2.0', info: { title: 't', version: '1' }, host, basePath, paths: {} }
  expect(read(document).version.ProductionEndpoint).toBe(address)
})

describe('names', () => {
  test('that collide get a number, and none that is made takes one that is given', () => {
    const paths = {
      '/a': { get: { operationId: 'x' }, put: { operationId: 'x' }, post: { operationId: 'x_2' } },
      '/b': { get: {} },
      '/c': { get: { operationId: 'getB' } },
      '/b/': { get: {} },
    }
    expect(operations(openapi(paths)).map(({ Name }: { Name: string }) => Name)).toEqual([
      'x',
      'x_3',
      'x_2',
      'getB_2',
      'getB',
      'getB_3',
    ])
  })

  test('5,000 alike are told apart', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 5000 }, (_, n) => [`/p${n}`, { get: { operationId: 'x', ...ok } }]),
    )
    expect(new Set(operations(openapi(paths)).map(({ Name }: { Name: string }) => Name)).size).toBe(5000)
  })
})

test.each([
  ['openapi: 3.0.0\ninfo: {title: " ", version: " "}\npaths: {}', 'file.v2.json', 'file.v2'],
  ['swagger: "2.0"\ninfo: {title: "", version: ""}\npaths: {}', 'file', 'file'],
  ['{"swaggerVersion": "1.1", "apis": []}', '.json', '.json'],
  ['{"swaggerVersion": "1.1", "apis": []}', ' .json', ' .json'],
  ['{"swaggerVersion": "1.2", "info": {"title": " "}, "resourcePath": "/pets", "apis": []}', 'file.json', 'pets'],
])(
  'without a title the resource or the file gives the name, and without a version it is 1.0: %j',
  (content, fileName, name) => {
    const { serviceName, version } = read(content, fileName)
    expect([serviceName, version.Name]).toEqual([name, '1.0'])
  },
)

describe('what is too long', () => {
  test('texts for people are cut', () => {
    const info = { title: 'n'.repeat(300), version: 'v'.repeat(300), description: `${'d'.repeat(70_000)}` }
    const tags = Array.from({ length: 150 }, (_, n) => ({ name: `${n}${'t'.repeat(300)}` }))
    const { serviceName, version } = read({
      ...openapi({ '/a': { get: { operationId: 'o'.repeat(400) } } }),
      info,
      tags,
    })
    expect([serviceName.length, version.Name.length, version.Description.length]).toEqual([255, 255, 65_536])
    expect(version.Tag).toHaveLength(100)
    expect(version.Operations.Operation[0].Name.length).toBeLessThanOrEqual(255)
    expect(version.Description.endsWith('…')).toBe(true)
  })

  test('characters that XML cannot carry are replaced in them', () => {
    const { version } = read({ ...openapi({}), info: { title: 't', version: '1', description: 'a\u0001b\ud800' } })
    expect(version.Description).toBe('a\ufffdb\ufffd')
  })

  test.each([
    ['a path', openapi({ [`/${'p'.repeat(2048)}`]: { get: ok } }), /longer than 2048/],
    [
      'a parameter',
      openapi({ '/a': { get: { parameters: [{ name: 'n'.repeat(256), in: 'query' }], ...ok } } }),
      /longer than 255/,
    ],
    [
      'too many parameters',
      openapi({
        '/a': { get: { parameters: Array.from({ length: 1001 }, (_, n) => ({ name: `${n}`, in: 'query' })) } },
      }),
      /more than 1000 parameters/,
    ],
    [
      'too many operations',
      openapi(Object.fromEntries(Array.from({ length: 5001 }, (_, n) => [`/p${n}`, { get: ok }]))),
      /one more than the 5000 operations/,
    ],
    ['a control character in a path', openapi({ '/a\u0001': { get: ok } }), /XML cannot carry/],
  ])('%s is refused', (_what, document, message) => {
    expect(() => read(document)).toThrow(message)
  })

  test('as many parameters and media types as an operation may have are taken', () => {
    const parameters = Array.from({ length: 999 }, (_, n) => ({ name: `${n}`, in: 'query' }))
    const types = Array.from({ length: 400 }, (_, n) => `application/x.${n}`)
    const content = Object.fromEntries(types.map((type) => [type, {}]))
    const [operation] = operations(openapi({ '/a': { post: { parameters, requestBody: { content }, ...ok } } }))
    expect(operation.Input).toHaveLength(1000)
    expect(operation.InputContentType).toBe(types.join(', '))
  })

  test('a media type without a name is none', () => {
    const bodies = openapi({
      '/a': { post: { requestBody: { content: { '': {}, 'application/json': {} } }, ...ok } },
      '/b': { post: { requestBody: { content: { '': {} } }, ...ok } },
    })
    const [both, nameless] = operations(bodies)
    expect(both.InputContentType).toBe('application/json')
    expect(nameless).not.toHaveProperty('InputContentType')
  })

  test('what is too much is refused before more of it is read', () => {
    const fields = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`f${n}`, {}]))
    const form = { content: { 'multipart/form-data': { schema: { properties: fields } } } }
    const parameters = [{ $ref: 'elsewhere.yaml' }]
    const paths = { '/a': { post: { requestBody: form } }, '/b': { get: { parameters } } }
    expect(() => read(openapi(paths))).toThrow(/more than 1000 parameters/)
    const many = Object.fromEntries(Array.from({ length: 5001 }, (_, n) => [`/p${n}`, { get: ok }]))
    expect(() => read(openapi({ ...many, '/z': { get: { parameters } } }))).toThrow(/one more than the 5000/)
  })

  test('the fields of a form are collected as far as an operation may have them', () => {
    const fields = Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`f${n}`, {}]))
    const unread = {
      get properties() {
        throw new Error('this was read')
      },
    }
    const value = { allOf: [{ properties: fields }, unread] }
    expect(formFields({ value, pointer: '' }, (place) => place)).toHaveLength(1001)
  })

  test('one parameter that many operations share does not make a version without bounds', () => {
    const parameters = Array.from({ length: 200 }, (_, n) => ({ name: `${n}${'x'.repeat(200)}`, in: 'query' }))
    const paths = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`/p${n}`, { parameters, get: ok }]))
    expect(() => read(openapi(paths))).toThrow(/above 4 MiB/)
  })
})

describe('references', () => {
  const withParameter = (parameter: object, components = {}) =>
    openapi({ '/a': { get: { parameters: [parameter], ...ok } } }, { components })

  test.each([
    ['to another address', 'http://127.0.0.1:1/x.yaml#/p', /leads to another document, which is not fetched/],
    ['to another file', 'common.yaml#/p', /leads to another document/],
    ['to nothing', '#/components/parameters/none', /leads to nothing/],
    ['into the prototype', '#/constructor', /leads to nothing/],
    ['that is no pointer', '#/%zz', /no JSON pointer/],
  ])('%s are refused with their place', (_what, $ref, message) => {
    expect(() => read(withParameter({ $ref }))).toThrow(message)
    expect(() => read(withParameter({ $ref }))).toThrow(
      expect.objectContaining({ pointer: '/paths/~1a/get/parameters/0/$ref' }),
    )
  })

  test('that go round in a circle are refused', () => {
    const parameters = { a: { $ref: '#/components/parameters/b' }, b: { $ref: '#/components/parameters/a' } }
    expect(() => read(withParameter({ $ref: '#/components/parameters/a' }, { parameters }))).toThrow(
      /round in a circle/,
    )
  })

  test('that go through very many others are refused', () => {
    const parameters = Object.fromEntries(
      Array.from({ length: 150 }, (_, n) => [`p${n}`, { $ref: `#/components/parameters/p${n + 1}` }]),
    )
    expect(() => read(withParameter(parameters.p0 as object, { parameters }))).toThrow(/more than 100 references/)
  })

  test('in schemas matter only for the fields of forms, and then as far as this file has them', () => {
    const schema = { allOf: [{ $ref: 'other.yaml#/x' }, { $ref: '#/components/schemas/Form' }] }
    const Form = { properties: { a: {}, b: {} }, allOf: [{ $ref: '#/components/schemas/Form' }] }
    const requestBody = { content: { 'multipart/form-data': { schema } } }
    const document = openapi({ '/a': { post: { requestBody } } }, { components: { schemas: { Form } } })
    expect(operations(document)[0].Input.map(({ Name }: { Name: string }) => Name)).toEqual(['a', 'b'])
  })

  test('leave the members of a path item beside them, which count before those that they lead to', () => {
    const parameters = [{ name: 'q', in: 'query' }]
    const document = openapi({
      '/a': { $ref: '#/paths/~1b', parameters, post: ok, get: { operationId: 'own', ...ok } },
      '/b': { get: ok, put: ok },
    })
    const found = operations(document).map(({ Name, Input }: { Name: string; Input: object[] }) => [Name, Input.length])
    expect(found).toEqual([
      ['own', 1],
      ['putA', 1],
      ['postA', 1],
      ['getB', 0],
      ['putB', 0],
    ])
  })

  test.each(['allOf', 'oneOf', 'anyOf'])('in the schema of a form leave fields beside them and in %s', (key) => {
    const schema = { $ref: '#/components/schemas/Form', properties: { b: {} } }
    const Form = { properties: { a: {} }, [key]: [{ properties: { c: {} } }, true] }
    const requestBody = { content: { 'multipart/form-data': { schema } } }
    const document = openapi(
      { '/a': { post: { requestBody } } },
      { openapi: '3.1.0', components: { schemas: { Form } } },
    )
    expect(
      operations(document)[0]
        .Input.map(({ Name }: { Name: string }) => Name)
        .sort(),
    ).toEqual(['a', 'b', 'c'])
  })

  test('an anchor that holds itself is no harm', () => {
    const yaml = 'openapi: 3.0.0\ninfo: {title: t, version: 1}\npaths:\n  /a: &a\n    get: {responses: {200: *a}}\n'
    expect(operations(yaml)).toHaveLength(1)
  })
})

describe('files that are not what they say', () => {
  const billions = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghij'].map((c, n) => `${c}: &${c} [${Array(9).fill(`*${'abcdefghi'[n]}`)}]`).join('\n')}\n`
  const merges = `a0: &a0 {k: v}\n${Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} {<<: [${Array(20).fill(`*a${n}`)}]}`).join('\n')}\n`
  const minimal = 'openapi: 3.0.0\ninfo: {title: t, version: 1}\npaths: {}\n'

  test.each([
    ['nothing', '', /is empty/],
    ['blanks', ' \n\t ', /is empty/],
    ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /not UTF-8 \(line 1\)/],
    ['Latin-1', Buffer.from('swagger: "2.0"\ninfo: {title: M\xfcller}', 'latin1'), /not UTF-8 \(line 2\)/],
    ['UTF-16', Buffer.from(`\ufeff${minimal}`, 'utf16le'), /UTF-16/],
    ['XML', '<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"/>', /no API description/],
    ['a list', '[1, 2]', /no API description/],
    ['some other JSON', '{"name": "package"}', /no API description/],
    ['a NUL', 'openapi: 3.0.0\ntitle: a\0b', /line 2/],
    ['broken JSON', '{"openapi": "3.0.0",\n "info": {"title": "t"', /line 2, column \d+/],
    ['broken YAML', 'openapi: 3.0.0\ninfo:\n  title: [x\n', /line 4, column 1/],
    ['a key twice in YAML', 'openapi: 3.0.0\ninfo: {}\ninfo: {}\n', /duplicated mapping key \(line 3, column 1\)/],
    ['two documents in one', `${minimal}---\n${minimal}`, /single document.*line 4, column 1/],
    ['two with an end between them', `${minimal}...\n# b\n${minimal}---\n`, /single document.*line 6/],
    ['two in old lines', `${minimal}---\n${minimal}`.replaceAll('\n', '\r'), /single document.*line 4/],
    ['two that begin with a marker', `# a\n---\n${minimal}---\n`, /single document.*line 6/],
    ['a tag of a program', `${minimal}x: !!js/function "function () {}"\n`, /unknown .*tag.*line 4/],
    ['an unknown version', '{"openapi": "4.0.0"}', /none that is read/],
    ['Swagger 1.0', '{"swaggerVersion": "1.0", "apis": []}', /none that is read/],
    ['no info', '{"openapi": "3.0.0", "paths": {}}', /is required/],
    ['paths that are a list', { ...openapi({}), paths: [] }, /must be an object/],
    ['parameters that are text', openapi({ '/a': { get: { parameters: 'x' } } }), /must be a list/],
    ['a parameter of no kind', openapi({ '/a': { get: { parameters: [{ name: 'a', in: 'moon' }] } } }), /none of path/],
    ['a list of resources', '{"swaggerVersion": "1.2", "apis": [{"path": "/pet"}]}', /list of resources/],
    ['YAML without end', '['.repeat(100_000), /nest/],
  ])('%s', (_what, content, message) => {
    expect(() => read(content)).toThrow(message)
  })

  test.each([
    ['aliases', billions],
    ['merges', merges],
  ])('a bomb of %s beside a good document is no harm', (_what, bomb) => {
    expect(read(bomb + minimal).version.Operations.Operation).toEqual([])
  })

  test('__proto__ and constructor are members like others', () => {
    const text = JSON.stringify(openapi({})).replace(
      '"paths":{}',
      '"paths":{"/a":{"__proto__":{"get":{}}, "constructor": {"get":{}}}}',
    )
    expect(operations(text)).toEqual([])
  })

  test('JSON nested without end is read, or refused, but does not break anything', () => {
    const deep = `{"openapi":"3.0.0","info":{"title":"t","version":"1"},"paths":{},"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    expect(read(deep).version.Operations.Operation).toEqual([])
  })

  test('a byte order mark is no part of the text', () => {
    expect(read(`\ufeff${JSON.stringify(openapi({}))}`).mediaType).toBe('application/json')
  })
})

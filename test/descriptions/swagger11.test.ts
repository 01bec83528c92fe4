import { convert } from 'swagger-converter'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { addDescribed, addPetStore, operationsOf } from '../support/described-apis.ts'
import { exampleVersion } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const anyone = service.client()
let admin: Client
let petStore: string

beforeAll(async () => {
  admin = await service.siteAdmin()
  petStore = await addPetStore(admin)
})

interface Operation {
  httpMethod: string
  nickname: string
  parameters?: { name: string; paramType: string; required: boolean }[]
  responseClass: string
}
interface Entry {
  path: string
  operations: Operation[]
}

const exported = async (version: string, path = 'all') => (await anyone.get(`${version}/swagger/${path}`)).json
const nicknames = ({ apis }: { apis: Entry[] }) => apis.flatMap(({ operations }) => operations.map((o) => o.nickname))
const parameter = (name: string, paramType = 'path') => ({
  allowMultiple: false,
  dataType: 'string',
  name,
  paramType,
  required: paramType === 'path',
})

test('the document: its members in this order, an entry for each path, and nothing else', async () => {
  const version = await addDescribed(admin, {
    ProductionEndpoint: 'https://api.example.com/v1',
    ...operationsOf(
      { Name: 'list pets', Path: '/shop/pets', OutputContentType: 'application/json' },
      { Path: '/shop/pets', Method: 'POST' },
      { Path: '/shop/pets/{id}', Method: 'delete', Input: [{ Name: 'id', Type: 'path' }] },
    ),
  })
  const answer = await anyone.get(`${version}/swagger/shop`)
  expect(answer.status).toBe(200)
  expect(answer.text).toBe(
    JSON.stringify({
      apiVersion: '1.0',
      apis: [
        {
          path: '/shop/pets',
          operations: [
            { httpMethod: 'GET', nickname: 'list pets', responseClass: 'string' },
            { httpMethod: 'POST', nickname: 'operation1', responseClass: 'void' },
          ],
        },
        {
          path: '/shop/pets/{id}',
          operations: [
            { httpMethod: 'DELETE', nickname: 'operation2', parameters: [parameter('id')], responseClass: 'void' },
          ],
        },
      ],
      basePath: 'https://api.example.com/v1',
      resourcePath: '/shop/pets',
      swaggerVersion: '1.1',
    }),
  )
  expect(answer.headers['x-not-expressed']).toBe(
    '[{"reason":"every OutputContentType: the format has no media types"}]',
  )
})

test('a version without operations', async () => {
  const version = await addDescribed(admin)
  expect(await exported(version)).toEqual({
    apiVersion: '1.0',
    apis: [],
    basePath: '',
    resourcePath: '/',
    swaggerVersion: '1.1',
  })
})

test('a reader of Swagger 1 finds the same paths, methods and parameters', async () => {
  const document = await exported(petStore)
  const read = convert(document, {})
  const found = Object.entries(read.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [] }]) => ({
      Name: operationId,
      Method: method.toUpperCase(),
      Path: path,
      Input: parameters.map(({ name, in: place }) => ({ Name: name, Type: place })),
    })),
  )
  const stored = exampleVersion().Operations.Operation.map(({ Name, Method, Path, Input }: Record<string, string>) => ({
    Name,
    Method,
    Path: Path?.replace('{path:.+|}', '{path}'),
    Input,
  }))
  expect(found).toEqual(stored)
  expect(read).toMatchObject({ host: 'api.petstore.example.com', basePath: '/v1', info: { version: '1.0' } })
})

describe('SwaggerPath selects the operations below it, by whole segments; all if there are none', () => {
  const pets = ['listPets', 'addPet', 'getPet', 'replacePet', 'deletePet', 'listPetPictures', 'addPetPicture']
  const all = [...pets, 'listOrders', 'placeOrder', 'getFile']
  test.each([
    ['pets', pets],
    ['pets/', pets],
    ['/pets', pets],
    ['%2F/pets/{petId}', pets.slice(2)],
    ['/', all],
    ['pets/{petId}', pets.slice(2)],
    ['pets/%7BpetId%7D', pets.slice(2)],
    ['pets%2F%7BpetId%7D/pictures', pets.slice(5)],
    ['files/{path}', ['getFile']],
    ['files/%7Bpath:.+%7C%7D', ['getFile']],
    ['stores', ['listOrders', 'placeOrder']],
    ['', all],
    ['pet', all],
    ['Pet Store.json'.replace(' ', '%20'), all],
    ['pets/{petId}/pictures/more', all],
  ])('%s', async (path, names) => {
    expect(nicknames(await exported(petStore, path))).toEqual(names)
  })

  test.each([
    ['..%2f..%2fetc%2fpasswd'],
    ['%2e%2e/%2e%2e'],
    ['%2e%2e%2f'],
    ['..%5c..%5cwindows'],
    ['%00'],
    ['pets%00'],
    ['a'.repeat(10_240)],
    ['%7B'.repeat(3000)],
    ['{'.repeat(10_000)],
    ['file:///etc/passwd'],
    ['__proto__'],
    ['constructor/prototype'],
    ['*'],
    ['%EF%BB%BF'],
  ])('a path of another purpose selects nothing: %s', async (path) => {
    const answer = await anyone.get(`${petStore}/swagger/${path}`)
    expect(answer.status).toBe(200)
    expect(nicknames(answer.json)).toEqual(all)
  })

  test('many slashes take no longer than as many letters', async () => {
    // Of this process, which is the service's as well: others may keep the machine busy.
    const time = async (path: string) => {
      const before = process.cpuUsage()
      for (let round = 0; round < 5; round++) await exported(petStore, path)
      return process.cpuUsage(before).user / 1000
    }
    const letters = await time(`a${'b'.repeat(14_000)}x`)
    expect(await time(`a${'/'.repeat(14_000)}x`)).toBeLessThan(letters + 200)
  })

  test('an address that cannot be decoded is a 400', async () => {
    for (const path of ['%zz', '%c3%28', '%ff']) {
      expect((await anyone.get(`${petStore}/swagger/${path}`)).status).toBe(400)
    }
  })
})

test.each([
  ['all?APIName=getPet', ['getPet']],
  ['pets?apiname=getPet', ['getPet']],
  ['stores?APIName=getPet', ['getPet']],
  ['stores?APIName=Pet%20Store', ['listOrders', 'placeOrder']],
  ['stores?APIName=', ['listOrders', 'placeOrder']],
  ['pets/%7BpetId%7D/pictures?APINAME=nothing', ['listPetPictures', 'addPetPicture']],
])('APIName narrows to the operation that it names: %s', async (path, names) => {
  expect(nicknames(await exported(petStore, path))).toEqual(names)
})

describe('locale', () => {
  test.each([
    'de',
    'de-AT',
    'zh-Hant-TW',
    'sl-rozaj-biske-1994',
    'de-419',
    'en-a-bbb-x-a-ccc',
    'x-whatever',
    'i-klingon',
  ])('a language tag: %s', async (locale) => {
    const answer = await anyone.get(`${petStore}/swagger/all?Locale=${locale}`)
    expect(answer.status).toBe(200)
  })

  test.each([
    '',
    'en_US',
    'de-419-DE',
    'a-DE',
    'ar-a-aaa-b-bbb-a-ccc',
    'de-1996-1996',
    'x',
    '../x',
    'é',
    'd'.repeat(99),
  ])('no language tag: %s', async (locale) => {
    const answer = await anyone.get(`${petStore}/swagger/all?locale=${encodeURIComponent(locale)}`)
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ faultcode: 'Malformed', errors: [{ pointer: '/locale' }] })
  })

  test('twice is a 400', async () => {
    expect((await anyone.get(`${petStore}/swagger/all?locale=de&LOCALE=en`)).status).toBe(400)
  })
})

const Endpoints = { Endpoint: [{ Uri: 'https://gateway.example.com/a' }, { Uri: 'https://other.example.com' }] }
const SandboxEndpoint = 'http://sandbox.example.com/'

test.each([
  [{ ProductionEndpoint: 'HTTPS://Api.example.com/v1/', SandboxEndpoint, Endpoints }, 'HTTPS://Api.example.com/v1/'],
  [{ ProductionEndpoint: null, SandboxEndpoint, Endpoints }, SandboxEndpoint],
  [{ SandboxEndpoint }, SandboxEndpoint],
  [{ Endpoints }, 'https://gateway.example.com/a'],
  [{ TargetAPI: { Endpoints } }, ''],
])(
  'basePath is the production, else the sandbox, else the first platform-side endpoint: %j',
  async (version, basePath) => {
    expect((await exported(await addDescribed(admin, version))).basePath).toBe(basePath)
  },
)

test.each([
  [['/pets', '/pets/{id}'], '/pets'],
  [['/pets/{id}', '/pets/{id}/pictures'], '/pets/{id}'],
  [['/pets', '/petshops'], '/'],
  [['/a/b/c', '/a/b/d', '/a/b'], '/a/b'],
  [['/a/b/', '/a/b/c'], '/a/b'],
  [['/a/'], '/a'],
  [['/'], '/'],
  [['/', '/a'], '/'],
])('resourcePath of %j is %s', async (paths, resourcePath) => {
  const version = await addDescribed(admin, operationsOf(...paths.map((Path) => ({ Path }))))
  expect((await exported(version)).resourcePath).toBe(resourcePath)
})

test('resourcePath is that of the described operations only', async () => {
  expect((await exported(petStore, 'pets/{petId}')).resourcePath).toBe('/pets/{petId}')
  expect((await exported(petStore)).resourcePath).toBe('/')
})

describe('parameters', () => {
  const described = async (operation: object) =>
    (await exported(await addDescribed(admin, operationsOf(operation)))).apis[0].operations[0].parameters
  const input = (Name: string, Type?: string) => ({ Name, ...(Type !== undefined && { Type }) })

  test('each input once, in its place, then the names in the path that no input has', async () => {
    const inputs = [
      input('q', 'query'),
      input('h', 'Header'),
      input('b', 'body'),
      input('f', 'form'),
      input('id', 'path'),
    ]
    expect(await described({ Path: '/{id}/{rest:.+|}', Input: [...inputs, input('q', 'query')] })).toEqual([
      parameter('q', 'query'),
      parameter('h', 'header'),
      parameter('b', 'body'),
      parameter('f', 'form'),
      parameter('id'),
      parameter('rest'),
    ])
  })

  test('an input without a type is in the path if that names it, else in the query', async () => {
    expect(await described({ Path: '/{id}', Input: [input('id'), input('q', ' ')] })).toEqual([
      parameter('id'),
      parameter('q', 'query'),
    ])
  })

  test('none: the member is absent', async () => {
    expect(await described({ Path: '/a' })).toBeUndefined()
  })
})

test.each([
  ['/{path:.+|}', '/{path}'],
  ['/{id:[0-9]{3}}/{ name }', '/{id}/{name}'],
  ['/{a}/{a}', '/{a}/{a2}'],
  ['/{a', '/%7Ba'],
  ['/a}', '/a%7D'],
  ['/{}', '/{parameter}'],
  ['/{a/b}', '/{a_b}'],
  ['/ü/😀{ß}', '/ü/😀{ß}'],
])('the path %s is written as %s', async (Path, path) => {
  const { apis } = await exported(await addDescribed(admin, operationsOf({ Path })))
  expect(apis[0].path).toBe(path)
})

test('what Swagger 1.1 cannot express is said in a header', async () => {
  const version = await addDescribed(
    admin,
    operationsOf(
      {
        Name: 'é',
        Path: '/a',
        Input: [
          { Name: 'session', Type: 'cookie' },
          { Name: 'id', Type: 'path' },
        ],
      },
      { Method: undefined, Path: '/b' },
      { Method: 'CONNECT' },
    ),
  )
  const { headers, json } = await anyone.get(`${version}/swagger/all`)
  expect(nicknames(json)).toEqual(['é'])
  expect(headers['x-not-expressed']).toMatch(/^[\x20-\x7e]+$/)
  expect(JSON.parse(headers['x-not-expressed'] as string)).toEqual([
    { operation: 'é', reason: 'its input "id" is not in its path' },
    { operation: 'operation1', reason: 'it has no Method' },
    { operation: 'operation2', reason: 'it has no Path' },
    { operation: 'é', reason: 'its input "session": the format has no cookies' },
  ])
  expect((await anyone.get(`${version}/swagger/b`)).headers['x-not-expressed']).toBe(
    '[{"operation":"operation1","reason":"it has no Method"}]',
  )
})

test('it says that there are other endpoints, and media types', async () => {
  const said = async (version: object) => {
    const { headers, json } = await anyone.get(`${await addDescribed(admin, version)}/swagger/all`)
    return { basePath: json.basePath, said: JSON.parse(String(headers['x-not-expressed'] ?? '[]')) }
  }
  const endpoint = { ProductionEndpoint: 'http://p.example/?a=b' }
  const operation = { Path: '/a', InputContentType: 'text/plain', FaultContentType: 'text/plain' }
  expect(await said({ ...endpoint, ...operationsOf({ Path: '/a' }) })).toEqual({
    basePath: 'http://p.example/?a=b',
    said: [],
  })
  const SandboxEndpoint = 'http://s.example/v1/'
  const more = { SandboxEndpoint, Endpoints: { Endpoint: [{ Uri: 'http://p.example' }, { Uri: SandboxEndpoint }] } }
  expect(await said({ ...endpoint, ...more, ...operationsOf(operation, { Path: '/b' }) })).toEqual({
    basePath: 'http://p.example/?a=b',
    said: [
      { reason: 'every InputContentType, FaultContentType: the format has no media types' },
      { reason: 'the endpoint http://s.example/v1: there is a place for one' },
    ],
  })
})

test('the header stays short', async () => {
  const many = Array.from({ length: 2000 }, () => ({}))
  const version = await addDescribed(admin, operationsOf(...many))
  const { headers } = await anyone.get(`${version}/swagger/all`)
  const said = JSON.parse(headers['x-not-expressed'] as string)
  expect(headers['x-not-expressed']?.length).toBeLessThan(1700)
  expect(said.at(-1)).toEqual({ reason: `and ${2000 - said.length + 1} more` })
})

describe('Content-Disposition names the file after the API', () => {
  test.each([
    ['Pet Store', 'attachment; filename="Pet Store.json"'],
    [
      'a"; filename="evil.exe',
      'attachment; filename="a_; filename=_evil.exe.json"; filename*=UTF-8\'\'a%22%3B%20filename%3D%22evil.exe.json',
    ],
    [
      'a\r\nSet-Cookie: b=c',
      'attachment; filename="a__Set-Cookie: b=c.json"; filename*=UTF-8\'\'a%0D%0ASet-Cookie%3A%20b%3Dc.json',
    ],
    ['Größe €', 'attachment; filename="Gr__e _.json"; filename*=UTF-8\'\'Gr%C3%B6%C3%9Fe%20%E2%82%AC.json'],
    ["😀'()*", "attachment; filename=\"_'()*.json\"; filename*=UTF-8''%F0%9F%98%80%27%28%29%2A.json"],
    ['../50%\\', 'attachment; filename=".._50__.json"; filename*=UTF-8\'\'..%2F50%25%5C.json'],
  ])('%j', async (Name, header) => {
    const version = await addDescribed(admin, {}, { Name })
    expect((await anyone.get(`${version}/swagger/all`)).headers['content-disposition']).toBe(header)
  })
})

test('it says that it is deprecated, and by what it is replaced', async () => {
  for (const path of ['all', 'pets/{petId}', 'all?locale=_']) {
    const { headers } = await anyone.get(`${petStore}/swagger/${path}`)
    expect(headers.deprecation).toMatch(/^@\d+$/)
    expect(headers.link).toBe(`<${petStore}/definition/swagger>; rel="successor-version"`)
  }
  expect((await anyone.get(`${petStore}/definition/swagger`)).json.swagger).toBe('2.0')
})

test.each(['application/json', ...['v71', 'v72', 'v80', 'v81'].map((v) => `application/vnd.platform.${v}+json`)])(
  'an Accept of %s is served',
  async (accept) => {
    const answer = await anyone.get(`${petStore}/swagger/all`, { accept })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe(`${accept}; charset=utf-8`)
    expect(answer.json.swaggerVersion).toBe('1.1')
  },
)

test.each(['application/xml', 'text/xml', 'application/vnd.platform.v80+xml', 'application/yaml'])(
  'an Accept of %s: 406',
  async (accept) => {
    expect((await anyone.get(`${petStore}/swagger/all`, { accept })).status).toBe(406)
  },
)

describe('who may not read the version', () => {
  test('of a Limited API: 401 for anybody but its admins and those with a role', async () => {
    const version = await addDescribed(admin, {}, { Visibility: 'Limited' })
    const { client } = await service.person()
    for (const operation of ['swagger/all', 'definition/swagger']) {
      expect((await anyone.get(`${version}/${operation}`)).status).toBe(401)
      expect((await client.get(`${version}/${operation}`)).status).toBe(401)
      expect((await admin.get(`${version}/${operation}`)).status).toBe(200)
    }
  })

  test('a Limited version of a Public API: 401', async () => {
    const version = await addDescribed(admin, { Visibility: 'Limited' })
    const answer = await anyone.get(`${version}/swagger/all`)
    expect(answer.status).toBe(401)
    expect(answer.json.faultcode).toBe('Unauthorized')
    expect(answer.headers['content-disposition']).toBeUndefined()
  })

  test('an id of nothing, or of an API: 404', async () => {
    const api = (await admin.get(petStore)).json.APIID
    for (const operation of ['swagger/all', 'definition/swagger']) {
      const none = await anyone.get(`/api/apis/versions/ffffffff-ffff-7fff-8fff-ffffffffffff.platform/${operation}`)
      expect(none.status).toBe(404)
      expect(none.json.faultstring).toMatch(/^No version has the id/)
      const other = await anyone.get(`/api/apis/versions/${api}/${operation}`)
      expect(other.status).toBe(404)
      expect(other.json.faultstring).toContain('[api]')
    }
  })
})

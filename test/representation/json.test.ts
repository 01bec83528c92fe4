import { describe, expect, test } from 'vitest'
import { startService } from '../support/service.ts'
import { apiOf, newName, readBack } from '../support/version-body.ts'

const service = await startService()
const admin = await service.siteAdmin()
const api = await apiOf(admin)

const post = (body: string | Buffer, contentType = 'application/json') =>
  admin.post(api.versions, body, { 'content-type': contentType })
/** JSON text of a version with members written as they are. */
const version = (members: string) => `{"Name": "${newName()}", ${members}}`
const stored = async (members: string) => (await readBack(admin, await post(version(members)))).json

test.each([
  ['"true" is true', '"SandboxAnonymousAccessAllowed": "true"', { SandboxAnonymousAccessAllowed: true }],
  ['"false" is false', '"SandboxAnonymousAccessAllowed": "false"', { SandboxAnonymousAccessAllowed: false }],
  ['true is true', '"SandboxAnonymousAccessAllowed": true', { SandboxAnonymousAccessAllowed: true }],
])('members may come as strings where the schema has a boolean: %s', async (_which, members, expected) => {
  expect(await stored(members)).toMatchObject(expected)
})

test.each(['007', '1.10', 'true', 'null', '1e3', ' ', '', '-0', '[]', '\u00a0x\u2028', '\u007f\u0085', '\u{10ffff}😀'])(
  'a string stays a string: %j',
  async (text) => {
    const value = JSON.stringify(text)
    const members = `"Description": ${value}, "TargetAPI": {"Type": ${value}}, "Policies": {"Policy": [{"PolicyKey": "k", "PolicyType": ${value}}]}`
    expect(await stored(members)).toMatchObject({
      Description: text,
      TargetAPI: { Type: text },
      Policies: { Policy: [{ PolicyKey: 'k', PolicyType: text }] },
    })
  },
)

test('null stays null where the schema allows it', async () => {
  expect(await stored('"ProductionEndpoint": null')).toMatchObject({ ProductionEndpoint: null })
})

test('of duplicate keys the last counts', async () => {
  expect(await stored('"Description": "a", "Tag": ["x"], "Description": "b", "Tag": ["y"]')).toMatchObject({
    Description: 'b',
    Tag: ['y'],
  })
})

test('a surrogate pair written as escapes is one character', async () => {
  expect(await stored('"Description": "\\ud83d\\ude00"')).toMatchObject({ Description: '😀' })
})

const readOnly = ['APIVersionID', 'APIID', 'Created', 'Updated', 'RatingSummary']
const oddValues = [
  '"mine"',
  '""',
  'null',
  '7',
  'true',
  '[]',
  '[{"a": [1]}]',
  '{"Five": "5", "Six": 6}',
  '"2000-01-01T00:00:00Z"',
  `${'['.repeat(32)}${']'.repeat(32)}`,
]

test.each(oddValues)('read-only members are accepted and ignored: %s', async (value) => {
  const operation = `{"Name": "o", "InterfaceQName": ${value}, "WsdlOperationName": ${value}}`
  const members = readOnly.map((name) => `"${name}": ${value}`).join(', ')
  const plain = await stored(`"Operations": {"Operation": [{"Name": "o"}]}`)
  const read = await stored(`${members}, "Operations": {"Operation": [${operation}]}`)
  expect(read).toMatchObject({ APIID: plain.APIID, RatingSummary: plain.RatingSummary })
  expect(read.APIVersionID).toMatch(/^[0-9a-f-]{36}\.platform$/)
  expect(Date.now() - Date.parse(read.Created)).toBeLessThan(60_000)
  expect(read.Operations.Operation[0]).toMatchObject({ WsdlOperationName: 'o' })
  expect(read.Operations.Operation[0].InterfaceQName).toMatch(/^\{Pet_Store_version_\d+\}Pet_Store_PortType_0$/)
})

test('values of the greatest length and lists of the greatest number are taken', async () => {
  const url = 'http://a/'.padEnd(2048, 'p')
  const many = (count: number, item: string) => `[${Array(count).fill(item).join(', ')}]`
  const read = await stored(`"Description": "${'😀'.repeat(65_536)}", "Tag": ${many(100, `"${'é'.repeat(255)}"`)},
    "SandboxEndpoint": "${url}", "Operations": {"Operation": ${many(5000, '{"Name": "o"}')}},
    "Endpoints": {"Endpoint": ${many(200, '{"Uri": "http://a"}')}}`)
  expect(read.Description.length).toBe(2 * 65_536)
  expect(read.SandboxEndpoint).toBe(url)
  expect([read.Tag.length, read.Operations.Operation.length, read.Endpoints.Endpoint.length]).toEqual([100, 5000, 200])
})

const names = (members: string, ...pointers: string[]): [string, string[]] => [`{"Name": "no", ${members}}`, pointers]
const operation = (members: string) => `"Operations": {"Operation": [{"Name": "a"}, {"Name": "b", ${members}}]}`
const urls = [
  'javascript:alert(1)',
  'ftp://a.b/',
  'http://user:pass@a.b/',
  'https://user@a.b',
  '//a.b',
  'a.b',
  '/p',
  '',
]
const moreUrls = [
  'http://a b/',
  'http://a/ b',
  ' http://a',
  'http://',
  'http:///a',
  'https:a',
  'http:\\\\a',
  'http://a:99999/',
]
const badUrls = [
  ...urls,
  ...moreUrls,
  'http://a/\t',
  'http://a/\u0001',
  'http://a/\0',
  'http://a/\ud800',
  'http://a/\uffff',
]

describe.each<[string, [string, string[]][]]>([
  [
    'a member that the schema does not know',
    [
      names('"Surprise": 1', '/Surprise'),
      names('"name": "a"', '/name'),
      names('"a/b~c": 1, "d": null', '/a~1b~0c', '/d'),
      names('"": 1', '/'),
      names(operation('"Body": "x"'), '/Operations/Operation/1/Body'),
      names('"TargetAPI": {"Name": "x"}', '/TargetAPI/Name'),
      names('"Policies": {"Policy": [{"PolicyKey": "k", "Extra": {}}]}', '/Policies/Policy/0/Extra'),
      names('"__proto__": {"Description": "x"}', '/__proto__'),
      names('"constructor": {"prototype": {"a": 1}}', '/constructor'),
      names('"TargetAPI": {"__proto__": null}', '/TargetAPI/__proto__'),
      names('"toString": "a"', '/toString'),
    ],
  ],
  [
    'a value of a wrong type',
    [
      ['{"Name": 1}', ['/Name']],
      ['{"Name": null}', ['/Name']],
      ['{"Name": ["a"]}', ['/Name']],
      ['{"Name": {"a": "b"}}', ['/Name']],
      ['{}', ['/Name']],
      names('"Description": null', '/Description'),
      names('"Description": 1e400', '/Description'),
      names('"Description": 9007199254740993', '/Description'),
      names('"SandboxEndpoint": null', '/SandboxEndpoint'),
      names('"Tag": "a"', '/Tag'),
      names('"Tag": {"0": "a"}', '/Tag'),
      names('"Tag": ["a", 1, null]', '/Tag/1', '/Tag/2'),
      names('"Operations": []', '/Operations'),
      names('"Operations": {"Operation": {"Name": "a"}}', '/Operations/Operation'),
      names('"Operations": {"Operation": [null]}', '/Operations/Operation/0'),
      names(operation('"Input": [{"Type": "path"}]'), '/Operations/Operation/1/Input/0/Name'),
      names('"Endpoints": {"Endpoint": [{}]}', '/Endpoints/Endpoint/0/Uri'),
      ...['1', '0', '"TRUE"', '"yes"', '""', 'null', '[true]'].map((value) =>
        names(`"SandboxAnonymousAccessAllowed": ${value}`, '/SandboxAnonymousAccessAllowed'),
      ),
    ],
  ],
  [
    'a value too long or too short',
    [
      [`{"Name": "${'n'.repeat(256)}"}`, ['/Name']],
      ['{"Name": ""}', ['/Name']],
      names(`"Description": "${'d'.repeat(65_537)}"`, '/Description'),
      names(`"Tag": [${'"t", '.repeat(100)}"t"]`, '/Tag'),
      names('"Tag": [""]', '/Tag/0'),
      names(`"Operations": {"Operation": [${'{"Name": "o"}, '.repeat(5000)}{"Name": "o"}]}`, '/Operations/Operation'),
      names(
        `"Endpoints": {"Endpoint": [${'{"Uri": "http://a"}, '.repeat(200)}{"Uri": "http://a"}]}`,
        '/Endpoints/Endpoint',
      ),
      names(`"Policies": {"Policy": [${'{"PolicyKey": "k"}, '.repeat(200)}{"PolicyKey": "k"}]}`, '/Policies/Policy'),
      names(operation(`"Path": "/${'p'.repeat(2048)}"`), '/Operations/Operation/1/Path'),
      names(`"SandboxEndpoint": "http://a/${'p'.repeat(2048)}"`, '/SandboxEndpoint'),
    ],
  ],
  [
    'a read-only member that holds what no answer can carry',
    [
      names('"Created": "a\\u0000b"', '/Created'),
      names('"Updated": "\\ud800"', '/Updated'),
      names('"APIVersionID": [{"__proto__": {}}]', '/APIVersionID'),
      names('"RatingSummary": {"a\\u0001": 5}', '/RatingSummary'),
      names(`"RatingSummary": ${'['.repeat(33)}${']'.repeat(33)}`, '/RatingSummary'),
      names(`"APIID": ${'['.repeat(20_000)}${']'.repeat(20_000)}`, '/APIID'),
      names(`"RatingSummary": [${'0,'.repeat(10_000)}0]`, '/RatingSummary'),
      names(`"RatingSummary": {"a": [${'[],'.repeat(10_000)}0]}`, '/RatingSummary'),
      names(operation('"WsdlOperationName": "\\u0000"'), '/Operations/Operation/1/WsdlOperationName'),
    ],
  ],
  [
    'characters that XML cannot carry',
    ['\\u0000', '\\u0001', '\\u001f', '\\ud800', 'a\\udc00\\ud800', '\\ufffe', '\\uffff'].map((code) =>
      names(
        `"Description": "${code}", ${operation(`"FaultContentType": "${code}"`)}`,
        '/Description',
        '/Operations/Operation/1/FaultContentType',
      ),
    ),
  ],
  [
    'a wrong URL',
    badUrls.flatMap((text) => [
      names(`"SandboxEndpoint": ${JSON.stringify(text)}`, '/SandboxEndpoint'),
      names(`"ProductionEndpoint": ${JSON.stringify(text)}`, '/ProductionEndpoint'),
      names(
        `"TargetAPI": {"Endpoints": {"Endpoint": [{"Uri": ${JSON.stringify(text)}}]}}`,
        '/TargetAPI/Endpoints/Endpoint/0/Uri',
      ),
    ]),
  ],
  [
    'a word that is none of the known ones',
    [
      names('"State": "com.platform.api.state.closed"', '/State'),
      names('"State": ""', '/State'),
      names('"Visibility": "public"', '/Visibility'),
      names('"Visibility": "RegisteredUsers"', '/Visibility'),
      names(operation('"Method": "GET /"'), '/Operations/Operation/1/Method'),
      names(operation('"Path": "no-slash"'), '/Operations/Operation/1/Path'),
    ],
  ],
  [
    'no object',
    [
      ['null', ['']],
      ['[]', ['']],
      ['[{"Name": "no"}]', ['']],
      ['"{}"', ['']],
      ['7', ['']],
      ['', ['']],
    ],
  ],
])('%s: 400 that names it, nothing stored', (_clause, bodies) => {
  const rows = bodies.map(([body, pointers]): [string, string, string[]] => [body.slice(0, 100), body, pointers])
  test.each(rows)('%s', async (_shown, body, pointers) => {
    const before = await api.latest()
    const answer = await post(body)
    expect([answer.status, answer.json.faultcode]).toEqual([400, 'Malformed'])
    expect(answer.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers)
    for (const { message } of answer.json.errors) expect(answer.json.faultstring).toContain(message)
    expect(await api.latest()).toBe(before)
  })
})

import { expect, test } from 'vitest'
import { adminEmail, startService } from '../support/service.ts'
import { apiOf, newName } from '../support/version-body.ts'

const service = await startService()
const admin = await service.siteAdmin()
const api = await apiOf(admin)

const utf8 = (...bytes: number[]) => Buffer.from([...Buffer.from('{"Name": "no'), ...bytes, ...Buffer.from('"}')])

test.each<[string, string | Buffer, RegExp]>([
  ['half an object', '{"Name": "no"', /not well-formed JSON/],
  ['a trailing comma', '{"Name": "no",}', /not well-formed JSON \(at position 14\)/],
  ['a word', '{"Name": no, "Tag": []}', /not well-formed JSON \(at position 10\)/],
  ['a form', 'Name=no', /not well-formed JSON \(at position 0\)/],
  ['a text about itself', 'at position 7 is no JSON', /not well-formed JSON \(at position 0\)/],
  ['a list that goes on', '{"Tag": ["a"', /not well-formed JSON \(at position 12\)/],
  ['a missing item', `{"Tag": [${'"😀",'.repeat(1000)}], "Name": "no"}`, /not well-formed JSON \(at position 5009\)/],
  ['a missing item far on', `{"Tag": [${'"a",'.repeat(20_000)}]}`, /not well-formed JSON\.$/],
  ['two values', '{"Name": "no"} {}', /not well-formed JSON/],
  ['single quotes', "{'Name': 'no'}", /not well-formed JSON \(at position 1\)/],
  ['a raw control character', '{"Name": "no\u0001"}', /not well-formed JSON/],
  ['a raw NUL', '{"Name": "no\0"}', /not well-formed JSON/],
  ['a byte order mark', '\ufeff{"Name": "no"}', /byte order mark/],
  ['NaN', '{"Name": "no", "Description": NaN}', /not well-formed JSON/],
  ['20,000 open arrays', '['.repeat(20_000), /not well-formed JSON/],
  ['20,000 arrays', '['.repeat(20_000) + ']'.repeat(20_000), /not valid/],
  ['100,000 objects', `${'{"Name":'.repeat(100_000)}1${'}'.repeat(100_000)}`, /nests deeper than 64/],
  ['100,000 open arrays', '['.repeat(100_000), /nests deeper than 64/],
  ['a text of brackets', `{"Name": "\\"${'['.repeat(100_000)}"}`, /Name must not have more than 255/],
  ['an ill-formed byte', utf8(0xff), /not well-formed UTF-8/],
  ['half a character', utf8(0xc3), /not well-formed UTF-8/],
  ['an overlong character', utf8(0xc0, 0xaf), /not well-formed UTF-8/],
  ['an encoded surrogate', utf8(0xed, 0xa0, 0x80), /not well-formed UTF-8/],
  ['UTF-16', Buffer.from('{"Name": "no"}', 'utf16le'), /not well-formed/],
])('malformed JSON: 400, nothing stored: %s', async (_which, body, text) => {
  const before = await api.latest()
  const answer = await admin.post(api.versions, body, { 'content-type': 'application/json' })
  expect([answer.status, answer.json.faultcode]).toEqual([400, 'Malformed'])
  expect(answer.json.faultstring).toMatch(text)
  expect(await api.latest()).toBe(before)
})

test('a fault does not repeat what a malformed body holds', async () => {
  const answer = await service.client().send('POST', '/api/login', {
    headers: { 'content-type': 'application/json' },
    body: '{"email": "a@b.c", "password": hunter2}',
  })
  expect(answer.status).toBe(400)
  expect(answer.text).not.toContain('hunter2')
  expect(answer.json.faultstring).toContain('(at position 31)')
})

const bodies = {
  'application/json': () => JSON.stringify({ Name: newName() }),
  'application/xml': () => `<APIVersion><Name>${newName()}</Name></APIVersion>`,
}

test.each([
  ['application/json', 1_048_576],
  ['application/xml', 262_144],
] as const)('%s: a body of %i bytes is taken, one more is 413', async (contentType, limit) => {
  const document = () => bodies[contentType]().padEnd(limit)
  for (const framing of [{}, { 'transfer-encoding': 'chunked' }]) {
    const headers = { 'content-type': contentType, ...framing }
    expect((await admin.post(api.versions, document(), headers)).status).toBe(200)
    const before = await api.latest()
    const answer = await admin.post(api.versions, `${document()} `, headers)
    expect([answer.status, answer.json.faultcode]).toEqual([413, 'RequestTooLarge'])
    expect(answer.json.faultstring).toContain(`${limit} bytes`)
    expect(await api.latest()).toBe(before)
  }
})

test('who is not known yet may send little', async () => {
  const credentials = { email: adminEmail, password: 'x' }
  const send = (bytes: number) => service.client().post('/api/login', JSON.stringify(credentials).padEnd(bytes), type)
  const type = { 'content-type': 'application/json' }
  expect((await send(16_384)).status).toBe(401)
  const refused = await send(16_385)
  expect([refused.status, refused.json.faultstring]).toEqual([413, expect.stringContaining('16384 bytes')])
})

test('the limits of bodies are settings', async () => {
  const small = await startService({ JSON_BODY_LIMIT: '2048', XML_BODY_LIMIT: '1024' })
  const client = await small.siteAdmin()
  const { versions } = await apiOf(client)
  const status = async (contentType: keyof typeof bodies, bytes: number) =>
    (await client.post(versions, bodies[contentType]().padEnd(bytes), { 'content-type': contentType })).status
  expect([await status('application/json', 2048), await status('application/json', 2049)]).toEqual([200, 413])
  expect([await status('application/xml', 1024), await status('application/xml', 1025)]).toEqual([200, 413])
})

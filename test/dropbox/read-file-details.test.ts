import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { fixture, fixtures } from '../support/fixtures.ts'
import { descriptorOf, formOf, formType, sendFile } from '../support/form.ts'
import { startService } from '../support/service.ts'

const service = await startService({ DROPBOX_FILE_LIMIT: '6000000' })
const admin: Client = await service.siteAdmin()
const path = '/api/dropbox/readfiledetails'
const small = 'openapi: 3.0.0\ninfo: {title: Small, version: 1.0}\npaths: {/a: {get: {operationId: a}}}\n'
const importInto = (client: Client, DLDescriptor: object) =>
  client.post('/api/apis', { DLDescriptor }, { 'content-type': 'application/vnd.platform.v81+json' })

describe('the answer', () => {
  test.each(fixtures)('%s', async (name) => {
    const { status, json, headers } = await sendFile(admin, fixture(name), { name, field: 'whatever' })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(json).toEqual({
      FileName: name,
      FileType: name.endsWith('json') ? 'application/json' : 'application/yaml',
      DropboxFileId: expect.any(Number),
      ServiceDescriptorDocument: [
        {
          FileName: name,
          DescriptorType: expect.stringMatching(/^(OpenAPI 3\.[01]|Swagger (2\.0|1\.[12]))$/),
          ServiceName: [expect.any(String)],
        },
      ],
    })
  })

  test.each(['application/vnd.platform.v81+json', 'text/html', 'application/xml', '*/*'])(
    'is plain JSON for an Accept of %s',
    async (accept) => {
      const answer = await sendFile(admin, small, {}, { accept })
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.json.FileName).toBe('petstore.yaml')
    },
  )

  test('is text of an HTML body with wrapInHTML', async () => {
    const evil = small.replace('Small', '"</body><script>alert(1)</script>&amp;"')
    const form = formOf([{ content: evil, name: '<b>.yaml' }])
    const answer = await admin.post(`${path}?wrapInHTML=true&document.domain=`, form, formType)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    const [, body = ''] = /^<!DOCTYPE html><html><body>([^<>]*)<\/body><\/html>$/.exec(answer.text) ?? []
    const text = body.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(code))
    expect(JSON.parse(text)).toMatchObject({
      FileName: '<b>.yaml',
      ServiceDescriptorDocument: [{ ServiceName: ['</body><script>alert(1)</script>&amp;'] }],
    })
  })

  test('a long name is cut between characters', async () => {
    const { json } = await sendFile(admin, small, { name: `😀${'a'.repeat(254)}` })
    expect(json.FileName).toBe(`\ufffd${'a'.repeat(254)}`)
  })

  test('fields beside the file are no matter', async () => {
    const form = formOf([{ content: small }], { 'document.domain': 'x', other: 'y' })
    expect((await admin.post(path, form, formType)).status).toBe(200)
  })
})

describe('who', () => {
  test('nobody without signing in, or without the CSRF header', async () => {
    expect((await sendFile(service.client(), small)).status).toBe(401)
    const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    expect((await service.client().post(path, formOf([{ content: small }]), { ...formType, cookie })).status).toBe(401)
  })

  test('a file of another user does not exist, as an id that names none', async () => {
    const owner = await service.person('BusinessAdmin')
    const other = await service.person('BusinessAdmin')
    const descriptor = await descriptorOf(owner.client, small)
    const refused = await importInto(other.client, descriptor)
    expect(refused.status).toBe(404)
    const { ServiceDescriptorReference: reference } = descriptor
    for (const DropboxFileId of [0, -1, 99_999_999, 2 ** 53, 1e300]) {
      const none = await importInto(owner.client, { ServiceDescriptorReference: { ...reference, DropboxFileId } })
      expect(none.status).toBe(404)
    }
    expect((await importInto(owner.client, descriptor)).status).toBe(200)
  })

  test('the same user in another session', async () => {
    const owner = await service.person('BusinessAdmin')
    const descriptor = await descriptorOf(owner.client, small)
    await owner.client.post('/api/login/logout')
    const again = service.client()
    await again.signIn(owner.email, owner.password)
    expect((await importInto(again, descriptor)).status).toBe(200)
  })
})

describe('how long', () => {
  test('a file is gone after a day, and is removed by a later one', async () => {
    const descriptor = await descriptorOf(admin, small)
    const id = descriptor.ServiceDescriptorReference.DropboxFileId
    await sql`update dropbox_file set created = now() - interval '1 day' where id = ${id}`.execute(service.db)
    expect((await importInto(admin, descriptor)).status).toBe(404)
    await descriptorOf(admin, small)
    const left = await service.db.selectFrom('dropbox_file').where('id', '=', String(id)).select('id').execute()
    expect(left).toEqual([])
  })

  test('of one user the newest hundred are kept', async () => {
    const { client, id } = await service.person()
    const userId = id.split('.')[0] as string
    await descriptorOf(client, small)
    await sql`insert into dropbox_file (user_id, file_name, media_type, descriptor_type, service_name, version, bytes)
      select user_id, file_name, media_type, descriptor_type, service_name, version, bytes
      from dropbox_file, generate_series(1, 120) where user_id = ${userId}`.execute(service.db)
    await descriptorOf(client, small)
    const kept = await service.db.selectFrom('dropbox_file').where('user_id', '=', userId).select('id').execute()
    expect(kept).toHaveLength(100)
  })
})

describe('forms that are none', () => {
  const form = formOf([{ content: small }])
  test.each([
    ['two files', formOf([{ content: small }, { content: small }]), formType, 400, /one file/],
    ['five files', formOf(Array(5).fill({ content: small })), formType, 400, /one file/],
    ['no file', formOf([], { FileName: 'x' }), formType, 400, /no file/],
    ['an empty form', formOf([]), formType, 400, /no file|well-formed/],
    ['no body', undefined, formType, 400, /no file|well-formed/],
    ['an empty file', formOf([{ content: '' }]), formType, 400, /is empty/],
    ['a form that breaks off', form.subarray(0, 150), formType, 400, /well-formed/],
    ['no boundary', form, { 'content-type': 'multipart/form-data' }, 400, /well-formed/],
    ['another boundary', form, { 'content-type': 'multipart/form-data; boundary=other' }, 400, /well-formed|no file/],
    ['JSON', '{}', { 'content-type': 'application/json' }, 415, /takes multipart/],
    ['a compressed form', form, { ...formType, 'content-encoding': 'gzip' }, 415, /gzip.*as it is/],
    [
      'a file above the limit in chunks',
      formOf([{ content: Buffer.alloc(8_000_000, 'a') }]),
      { ...formType, 'transfer-encoding': 'chunked' },
      413,
      /larger than 6000000/,
    ],
    ['no type', '{}', { 'content-type': '' }, 415, /takes multipart/],
    [
      'too many fields',
      formOf([], Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}`, 'x']))),
      formType,
      413,
      /parts/,
    ],
    [
      'a name that every object has',
      formOf([{ content: small, field: 'constructor' }]),
      formType,
      400,
      /a name that every object has/,
    ],
    ['a form far above the limit', Buffer.alloc(6_600_000, 'a'), formType, 413, /larger than 6000000/],
    [
      'very many parts of nothing',
      '--x\r\n\r\n\r\n'.repeat(400_000),
      { 'content-type': 'multipart/form-data; boundary=x' },
      413,
      /parts/,
    ],
    [
      'a file above the limit',
      formOf([{ content: Buffer.alloc(6_000_001, 'a') }]),
      formType,
      413,
      /larger than 6000000/,
    ],
  ])('%s', async (_what, body, headers, status, message) => {
    const answer = await admin.send('POST', path, { body, headers })
    expect([answer.status, answer.json.faultstring]).toEqual([status, expect.stringMatching(message)])
  })

  test('a file of just the limit is read', async () => {
    const padded = Buffer.alloc(6_000_000, '\n')
    padded.write(small)
    expect((await sendFile(admin, padded)).status).toBe(200)
  })
})

describe('files that cannot be imported', () => {
  test.each([
    ['YAML', 'openapi: 3.0.0\ninfo:\n  title: [x\n', /\(line 4, column 1\)/, undefined],
    [
      'a member',
      '{"openapi": "3.0.0", "info": {"title": "t", "version": "1"}, "paths": []}',
      /\/paths must be/,
      '/paths',
    ],
    ['bytes', Buffer.from([0x89, 0x50, 0x4e, 0x47]), /not UTF-8 \(line 1\)/, undefined],
  ])('%s: 400 that says where', async (_what, content, message, pointer) => {
    const { status, json } = await sendFile(admin, content)
    expect([status, json.faultstring]).toEqual([400, expect.stringMatching(message)])
    expect(json.errors?.[0].pointer).toBe(pointer)
  })

  test('no reference is followed out of the document', async () => {
    let hits = 0
    const listener = createServer((_request, response) => {
      hits++
      response.end('{}')
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
    const content = { 'application/json': { schema: { $ref: `${url}/schema.json` } } }
    const inSchema = {
      openapi: '3.0.0',
      info: { title: 'Remote', version: '1' },
      servers: [{ url }],
      externalDocs: { url },
      paths: { '/a': { post: { requestBody: { content }, responses: {} } } },
    }
    const inPath = { ...inSchema, paths: { '/a': { $ref: `${url}/path.yaml#/a` } } }
    const refused = await sendFile(admin, JSON.stringify(inPath))
    expect(refused.json.errors).toEqual([{ pointer: '/paths/~1a/$ref', message: expect.stringMatching(/not fetched/) }])
    expect((await importInto(admin, await descriptorOf(admin, JSON.stringify(inSchema)))).status).toBe(200)
    await new Promise((resolve) => listener.close(resolve))
    expect(hits).toBe(0)
  })
})

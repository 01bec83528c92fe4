import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { exampleApi, exampleVersion } from '../support/examples.ts'
import { fixture } from '../support/fixtures.ts'
import { descriptorOf } from '../support/form.ts'
import { startService } from '../support/service.ts'
import { newName } from '../support/version-body.ts'

const service = await startService()
const v81 = 'application/vnd.platform.v81+json'
const v81xml = 'application/vnd.platform.v81+xml'
let admin: Client
let apiId: string
let source: Record<string, unknown> & { APIVersionID: string; Operations: { Operation: object[] } }

beforeAll(async () => {
  admin = await service.siteAdmin()
  apiId = (await admin.post('/api/apis', exampleApi())).json.APIID
  const tuned = { ProductionEndpointAccessAutoApproved: true, Policies: { Policy: [{ PolicyKey: 'urn:uuid:1' }] } }
  source = (await admin.post(`/api/apis/${apiId}/versions`, { ...exampleVersion(), ...tuned })).json
})

const path = () => `/api/apis/${apiId}/versions`
const add = (body: object, headers = {}, client = admin) =>
  client.post(path(), JSON.stringify(body), { 'content-type': v81, accept: v81, ...headers })
const addXml = (xml: string, headers = {}) => admin.post(path(), xml, { 'content-type': v81xml, ...headers })
const clone = (more: object, SourceAPIVersionID = source.APIVersionID) => ({
  APIVersionInfo: { Name: newName() },
  CloneAPIVersionRequest: { SourceAPIVersionID, ...more },
})
const neutral = (version: object) =>
  JSON.parse(JSON.stringify(version).replace(/"InterfaceQName":"[^"]*"/g, '"InterfaceQName":""'))

async function* slowly(pieces: string[]) {
  for (const piece of pieces) {
    yield Buffer.from(piece)
    await setTimeout(20)
  }
}

describe('from scratch', () => {
  test('JSON: the whole version, which becomes the latest and asks for a renewal', async () => {
    const info = { Name: newName(), Visibility: 'Limited', Description: 'Made from nothing.' }
    const { status, json, headers } = await add({ APIVersionInfo: info })
    expect(status).toBe(200)
    expect(json).toMatchObject({ ...info, APIID: apiId, State: 'com.platform.api.state.open', Tag: [] })
    expect(json.Operations.Operation).toEqual([])
    expect(headers['content-type']).toBe(`${v81}; charset=utf-8`)
    expect(headers['platform-renew-token']).toBe('renew')
    for (const name of ['deprecation', 'link', 'sunset']) expect(headers[name]).toBeUndefined()
    expect((await admin.get(`/api/apis/${apiId}`)).json.LatestVersionID).toBe(json.APIVersionID)
    expect((await admin.get(`/api/apis/versions/${json.APIVersionID}`)).json).toEqual(json)
  })

  test('XML', async () => {
    const name = newName()
    const { status, text, headers } = await addXml(
      `<AddAPIVersionRequest><APIVersionInfo><Name>${name}</Name></APIVersionInfo></AddAPIVersionRequest>`,
      { accept: v81xml },
    )
    expect(status).toBe(200)
    expect(headers['content-type']).toBe(`${v81xml}; charset=utf-8`)
    expect(text).toContain(`<Name>${name}</Name>`)
    expect(text).toMatch(/^<\?xml[^>]*><APIVersion>/)
  })
})

describe('from another version', () => {
  test('CloneDesign takes what it offers', async () => {
    const { status, json } = await add(clone({ CloneDesign: true }))
    expect(status).toBe(200)
    for (const key of ['Description', 'Type', 'DefaultProfile', 'Tag', 'Operations']) {
      expect(neutral(json[key] ?? {})).toEqual(neutral((source[key] as object) ?? {}))
    }
    for (const key of ['ProductionEndpoint', 'SandboxEndpoint', 'TargetAPI']) expect(json).not.toHaveProperty(key)
    expect([json.Endpoints, json.Policies]).toEqual([{ Endpoint: [] }, { Policy: [] }])
    expect(json.ProductionEndpointAccessAutoApproved).toBe(false)
  })

  test('CloneImplementations takes where and under which rules it is served', async () => {
    const { json } = await add(clone({ CloneImplementations: 'true', CloneDesign: 'false' }))
    for (const key of ['ProductionEndpoint', 'SandboxEndpoint', 'Endpoints', 'TargetAPI', 'Policies']) {
      expect(neutral(json[key])).toEqual(neutral(source[key] as object))
    }
    expect(json.ProductionEndpointAccessAutoApproved).toBe(true)
    expect([json.Operations, json.Tag]).toEqual([{ Operation: [] }, []])
    expect(json).not.toHaveProperty('Description')
  })

  test('both, as strings: all but names, ids, times, visibility and what the request says', async () => {
    const body = clone({ CloneDesign: 'true', CloneImplementations: 'true' })
    const { json } = await add({ ...body, APIVersionInfo: { ...body.APIVersionInfo, Description: 'Mine.' } })
    const own = { APIVersionID: '', Name: '', Description: '', Created: '', Updated: '' }
    expect(neutral({ ...json, ...own })).toEqual(neutral({ ...source, ...own }))
    expect(json.Description).toBe('Mine.')
  })

  test('neither: nothing; XML', async () => {
    const name = newName()
    const { status, json } = await addXml(
      `<AddAPIVersionRequest><CloneAPIVersionRequest><SourceAPIVersionID>${source.APIVersionID}</SourceAPIVersionID><CloneDesign>true</CloneDesign></CloneAPIVersionRequest><APIVersionInfo><Name>${name}</Name></APIVersionInfo></AddAPIVersionRequest>`,
    )
    expect([status, json.Name, json.Operations.Operation.length]).toEqual([
      200,
      name,
      source.Operations.Operation.length,
    ])
    expect((await add(clone({}))).json.Operations.Operation).toEqual([])
  })

  test('of another API that the caller may read; 401 for one that they may not; 404 for none', async () => {
    const owner = await service.person('BusinessAdmin')
    const secret = (await owner.client.post('/api/apis', { ...exampleApi(), Visibility: 'Limited' })).json
    const shown = (await owner.client.post('/api/apis', exampleApi())).json
    const person = await service.person()
    const groupId = (await admin.get(`/api/apis/${apiId}`)).json.AdminGroupID
    await admin.post(`/api/groups/${groupId}/members`, { UserID: person.id })
    const from = (id: string) => add(clone({ CloneDesign: true }, id), {}, person.client)
    const before = (await admin.get(`/api/apis/${apiId}`)).json
    expect((await from(secret.APIVersion.APIVersionID)).status).toBe(401)
    for (const id of [`${randomUUID()}.platform`, 'none', shown.APIID]) {
      const { status, json } = await from(id)
      const pointer = '/CloneAPIVersionRequest/SourceAPIVersionID'
      const message = id === shown.APIID ? 'names an [api]' : 'is the id of no version'
      expect([status, json.errors]).toEqual([404, [{ pointer, message }]])
      expect(json.faultstring.includes('[api]')).toBe(id === shown.APIID)
    }
    expect((await admin.get(`/api/apis/${apiId}`)).json).toEqual(before)
    expect((await from(shown.APIVersion.APIVersionID)).json.Operations).toMatchObject({
      Operation: [{ Name: 'listPets' }],
    })
  })
})

describe('from a file', () => {
  const yaml = fixture('petstore-2.0.yaml')

  test('JSON: what it describes, with the name of the request', async () => {
    const name = newName()
    const DLDescriptor = await descriptorOf(admin, yaml)
    const { status, json } = await add({ APIVersionInfo: { Name: name }, DLDescriptor })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      Name: name,
      Description: expect.stringMatching(/^This is a sample/),
      Tag: ['pet', 'store'],
      ProductionEndpoint: 'https://petstore.example.com/v2',
      Visibility: 'Public',
    })
    expect(json.Operations.Operation).toHaveLength(6)
    expect(json.Operations.Operation[0]).toMatchObject({ Name: 'addPet', WsdlOperationName: 'addPet' })
  })

  test('XML, with another FileName, and the id as a string', async () => {
    const { ServiceDescriptorReference: reference } = await descriptorOf(admin, yaml)
    const xml = `<DLDescriptor><ServiceDescriptorReference><ServiceName>${reference.ServiceName}</ServiceName><FileName>${reference.ServiceName}.swagger</FileName><DropboxFileId>${reference.DropboxFileId}</DropboxFileId></ServiceDescriptorReference></DLDescriptor>`
    const info = `<APIVersionInfo><Name>${newName()}</Name><Description>From XML.</Description></APIVersionInfo>`
    const { status, json } = await addXml(`<AddAPIVersionRequest>${info}${xml}</AddAPIVersionRequest>`)
    expect([status, json.Description, json.Operations.Operation.length]).toEqual([200, 'From XML.', 6])
    const text = { ServiceDescriptorReference: { ...reference, DropboxFileId: String(reference.DropboxFileId) } }
    expect((await add({ APIVersionInfo: { Name: newName() }, DLDescriptor: text })).status).toBe(200)
  })

  test('the original is kept with the version as it was sent, and goes with it', async () => {
    const DLDescriptor = await descriptorOf(admin, yaml)
    const { APIVersionID } = (await add({ APIVersionInfo: { Name: newName() }, DLDescriptor })).json
    const id = APIVersionID.split('.')[0]
    const original = () => service.db.selectFrom('imported_original').where('version_id', '=', id).selectAll().execute()
    const [kept] = await original()
    expect(kept).toMatchObject({ media_type: 'application/yaml', file_name: 'petstore.yaml' })
    expect(kept?.bytes.equals(yaml)).toBe(true)
    expect((await admin.send('DELETE', `/api/apis/versions/${APIVersionID}`)).status).toBe(200)
    expect(await original()).toEqual([])
  })

  test('an Idempotency-Key works once also when the file is gone', async () => {
    const DLDescriptor = await descriptorOf(admin, yaml)
    const body = { APIVersionInfo: { Name: newName() }, DLDescriptor }
    const headers = { 'idempotency-key': randomUUID() }
    const first = await add(body, headers)
    await service.db.deleteFrom('dropbox_file').execute()
    const again = await add(body, headers)
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.json).toEqual(first.json)
  })
})

describe('what is refused leaves nothing behind', () => {
  test.each([
    ['no info', {}, '/APIVersionInfo'],
    ['no name', { APIVersionInfo: {} }, '/APIVersionInfo/Name'],
    ['an unknown member', { APIVersionInfo: { Name: 'x', Colour: 'red' } }, '/APIVersionInfo/Colour'],
    ['a name that is taken', { APIVersionInfo: { Name: '1.0' } }, '/APIVersionInfo/Name'],
    ['an unknown visibility', { APIVersionInfo: { Name: 'x', Visibility: 'Secret' } }, '/APIVersionInfo/Visibility'],
    [
      'a boolean that is none',
      { APIVersionInfo: { Name: 'x' }, CloneAPIVersionRequest: { SourceAPIVersionID: 'x', CloneDesign: 'yes' } },
      '/CloneAPIVersionRequest/CloneDesign',
    ],
    ['a whole version', exampleVersion(), '/Operations'],
    [
      'a clone of a file',
      {
        APIVersionInfo: { Name: 'x' },
        CloneAPIVersionRequest: { SourceAPIVersionID: 'x' },
        DLDescriptor: { ServiceDescriptorReference: { ServiceName: 's', FileName: 'f', DropboxFileId: 1 } },
      },
      '/DLDescriptor',
    ],
  ])('%s: 400', async (_what, body, pointer) => {
    const before = (await admin.get(`/api/apis/${apiId}`)).json
    const { status, json } = await add(body)
    expect(status).toBe(400)
    expect(json.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer)
    expect((await admin.get(`/api/apis/${apiId}`)).json).toEqual(before)
  })

  test('another service than the file describes: 400', async () => {
    const { ServiceDescriptorReference: reference } = await descriptorOf(admin, fixture('petstore-1.2.json'))
    const DLDescriptor = { ServiceDescriptorReference: { ...reference, ServiceName: 'other' } }
    const { status, json } = await add({ APIVersionInfo: { Name: newName() }, DLDescriptor })
    expect([status, json.errors[0].pointer]).toEqual([400, '/DLDescriptor/ServiceDescriptorReference/ServiceName'])
  })

  test('a caller who may not modify, or is not signed in: 401; an API that does not exist: 404', async () => {
    const body = { APIVersionInfo: { Name: newName() } }
    const { client } = await service.person()
    expect((await add(body, {}, client)).status).toBe(401)
    expect((await add(body, {}, service.client())).status).toBe(401)
    const none = `/api/apis/${randomUUID()}.platform/versions`
    expect((await admin.post(none, body, { 'content-type': v81 })).status).toBe(404)
  })
})

describe('which of the two operations', () => {
  const any = 'application/vnd.platform.v81+json, text/javascript, */*; q=0.01'
  const old = { Name: '' }
  type Operation = 'newer' | 'older' | 'that of the body'
  const rows: [string | undefined, string | undefined, Operation | number][] = [
    [v81, v81, 'newer'],
    [v81, undefined, 'newer'],
    [v81, '*/*', 'newer'],
    [v81, 'application/json', 'newer'],
    [v81, 'application/xml', 'newer'],
    [v81, any, 'newer'],
    [`${v81}; charset=UTF-8`, v81, 'newer'],
    ['APPLICATION/VND.PLATFORM.V81+JSON', v81, 'newer'],
    [v81, 'application/vnd.platform.v72+json', 406],
    [v81, 'text/plain', 406],
    ['application/json; charset=utf-8', any, 'that of the body'],
    ['application/json', `application/json;q=0.5, ${v81xml}`, 'that of the body'],
    ['application/json', `application/vnd.platform.v80+json, ${v81};q=0.9`, 'older'],
    ['application/json', `application/json, ${v81}`, 'older'],
    ['application/json', 'application/*', 'older'],
    ['application/json', undefined, 'older'],
    ['application/json', 'application/vnd.platform.v80+json', 'older'],
    ['application/vnd.platform.v80+json', undefined, 'older'],
    ['application/vnd.platform.v80+json', any, 'older'],
    ['application/vnd.platform.v80+json', v81, 406],
    ['application/vnd.platform.v82+json', '*/*', 415],
    ['text/plain', '*/*', 415],
    ['', '*/*', 415],
    ['application/vnd.platform.v82+json', v81, 415],
    ['text/plain', v81, 415],
    ['', any, 415],
  ]

  test.each(rows)('Content-Type %s, Accept %s: %s', async (type, accept, expected) => {
    const Name = newName()
    const headers = { 'content-type': type ?? '', ...(accept !== undefined && { accept }) }
    const send = (body: object) => admin.post(path(), JSON.stringify(body), headers)
    const answers = { older: await send({ ...old, Name }), newer: await send({ APIVersionInfo: { Name: newName() } }) }
    if (typeof expected === 'number') {
      expect([answers.older.status, answers.newer.status]).toEqual([expected, expected])
      return
    }
    const taken = (['older', 'newer'] as const).filter((each) => expected === each || expected === 'that of the body')
    for (const each of ['older', 'newer'] as const) {
      expect(answers[each].status).toBe(taken.includes(each) ? 200 : 400)
      if (taken.includes(each)) expect(answers[each].headers.deprecation === undefined).toBe(each === 'newer')
    }
  })

  test('the older one does not answer as v81', async () => {
    const send = (body: object) => admin.post(path(), body, { accept: v81 })
    expect((await send({ APIVersionInfo: { Name: newName() } })).status).toBe(200)
    const { status, json } = await send({ Name: newName() })
    expect([status, json.faultstring.includes('application/vnd.platform.v80+json')]).toEqual([406, true])
  })

  test.each([
    [
      'the newer one in XML',
      'newer',
      (name: string) =>
        `<AddAPIVersionRequest><APIVersionInfo><Name>${name}</Name></APIVersionInfo></AddAPIVersionRequest>`,
    ],
    [
      'the older one in XML',
      'older',
      (name: string) =>
        `<?xml version="1.0"?><!-- one --><x:APIVersion xmlns:x="urn:x"><x:Name>${name}</x:Name></x:APIVersion>`,
    ],
    ['the newer one after blanks', 'newer', (name: string) => `\n {\t"APIVersionInfo": {"Name": "${name}"}}`],
    [
      'the older one of many bytes',
      'older',
      (name: string) => JSON.stringify({ Name: name, Description: 'é'.repeat(60_000) }),
    ],
  ] as const)('a body that begins as that of %s', async (_, expected, body) => {
    const text = body(newName())
    const type = text.startsWith('<') ? 'application/xml' : 'application/json'
    const { status, headers } = await admin.post(path(), text, { 'content-type': type, accept: any })
    expect([status, headers.deprecation === undefined]).toEqual([200, expected === 'newer'])
  })

  test.each([
    ['', 'A body is needed'],
    ['{', 'JSON'],
    ['[]', 'object'],
    ['{}', '/APIVersionInfo is required'],
    ['{"Nobody": 1}', '/APIVersionInfo is required'],
    ['{"\\u004eame": "x"}', 'is of the older operation'],
  ])('the newer one refuses what begins as neither: %s', async (body, fault) => {
    const { status, json } = await admin.post(path(), body, { 'content-type': 'application/json', accept: any })
    expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining(fault)])
  })

  test('a body that comes in pieces is waited for', async () => {
    const Name = newName()
    const pieces = ['', ' {', ' "Na', 'me', `": "${Name}"`, ', "Type": "shttp"', '}']
    const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const csrf = admin.cookies.get('Csrf-Token_platform') as string
    const answer = await fetch(`${service.url}${path()}`, {
      method: 'POST',
      headers: { cookie, 'X-Csrf-Token_platform': csrf, 'content-type': 'application/json', accept: any },
      body: ReadableStream.from(slowly(pieces)),
      duplex: 'half',
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ Name, Type: 'shttp' })
  })

  test('who sends the body of the other one is told how to name that', async () => {
    const send = (type: string, body: object, accept = any) =>
      admin.post(path(), JSON.stringify(body), { 'content-type': type, accept })
    const { status, json } = await send(v81, { Name: newName() })
    expect([status, json.errors]).toEqual([400, [{ pointer: '/Name', message: 'is of the older operation' }]])
    expect(json.faultstring).toContain('name its Content-Type, such as application/vnd.platform.v80+json')
    for (const type of ['application/json', 'application/vnd.platform.v72+json']) {
      const { status, json } = await send(type, { APIVersionInfo: { Name: newName() } }, '*/*')
      expect([status, json.errors[0].pointer]).toEqual([400, '/APIVersionInfo'])
      expect(json.faultstring).toContain('name its Content-Type, such as application/vnd.platform.v81+json')
    }
    expect((await send(v81, { Name: newName(), APIVersionInfo: {} })).json.faultstring).toContain('/Name is unknown')
    expect((await send('application/vnd.platform.v80+json', { Name: newName() })).status).toBe(200)
  })

  test('each tells what it serves and takes', async () => {
    const body = { APIVersionInfo: { Name: newName() } }
    const refused = await add(body, { accept: 'application/vnd.platform.v72+json' })
    expect(refused.json.faultstring).toContain(v81)
    expect(refused.json.faultstring).not.toContain('v80')
    const wrong = await admin.post(path(), 'x', { 'content-type': 'text/plain' })
    expect(wrong.json.faultstring).toContain('v80')
  })

  test('XML of the wrong root, broken bodies and other charsets are refused by the newer one', async () => {
    expect((await addXml('<APIVersion/>')).json.faultstring).toContain('AddAPIVersionRequest')
    expect((await admin.post(path(), '{', { 'content-type': v81 })).status).toBe(400)
    expect((await add({}, { 'content-type': `${v81}; charset=latin1` })).status).toBe(415)
  })

  test('other methods are still told apart', async () => {
    for (const type of ['application/json', v81]) {
      const { status, headers } = await admin.send('PATCH', path(), { body: '{}', headers: { 'content-type': type } })
      expect([status, headers.allow?.includes('POST')]).toEqual([405, true])
      expect((await admin.send('OPTIONS', path(), { headers: { accept: v81 } })).status).toBe(204)
    }
  })

  test('the vendor word of the setting is the one that counts', async () => {
    const other = await startService({ VENDOR_MEDIA_TREE: 'vnd.acme' })
    const client = await other.siteAdmin()
    const named = { APIVersionInfo: { Name: 'x' } }
    const send = (type: string) => client.post('/api/apis', JSON.stringify(named), { 'content-type': type })
    expect((await send('application/vnd.acme.v81+json')).status).toBe(200)
    expect((await send(v81)).status).toBe(415)
  })
})

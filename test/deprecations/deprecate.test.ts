import { XMLParser } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { addTwoVersions, deprecate, deprecationOf } from '../support/deprecations.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()
const registered = 'com.platform.visibility.registered.users'
const early = '2026-01-01T00:00:00.000Z'
const late = '2027-06-30T22:00:00.000Z'
const unknown = '01a1ff9d-bd78-76af-beb9-177e82e040ad.platform'

test('a deprecation is read as it was put, as JSON and as XML, and goes', async () => {
  const { apiId, older, newer } = await addTwoVersions(admin, { Name: 'Pets & <more>' })
  const body = { Deprecated: early, Sunset: late, SuccessorVersionID: newer, Notes: ' é <&> \n end' }
  const whole = { APIVersionID: older, APIID: apiId, APIName: 'Pets & <more>', VersionName: '1.0', ...body }
  expect((await deprecate(admin, older, body)).json).toEqual(whole)
  const read = await service.client().get(deprecationOf(older))
  expect([read.status, read.json]).toEqual([200, whole])

  const xml = { accept: 'application/xml' }
  const asXml = (await admin.get(deprecationOf(older), xml)).text
  const parser = new XMLParser({ trimValues: false, parseTagValue: false })
  expect(parser.parse(asXml).Deprecation).toEqual(whole)
  const sent = await admin.send('PUT', deprecationOf(older), {
    body: asXml,
    headers: { ...xml, 'content-type': 'text/xml' },
  })
  expect([sent.status, sent.text]).toEqual([200, asXml])
  expect((await deprecate(admin, older, whole)).json).toEqual(whole)

  const gone = await admin.send('DELETE', deprecationOf(older))
  expect([gone.status, gone.text]).toEqual([200, ''])
  for (const method of ['GET', 'DELETE']) {
    const answer = await admin.send(method, deprecationOf(older))
    expect([answer.status, answer.json.faultstring]).toEqual([404, 'This API version is not deprecated.'])
  }
})

test('without a time it is now; put again without one, the time stays and all else goes', async () => {
  const { older, newer } = await addTwoVersions(admin)
  const before = Math.floor(Date.now() / 1000) * 1000
  const first = (await deprecate(admin, older, { SuccessorVersionID: newer, Notes: 'x', Sunset: late })).json
  expect(Date.parse(first.Deprecated)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(first.Deprecated)).toBeLessThanOrEqual(Date.now())
  expect(first.Deprecated).toMatch(/\.000Z$/)
  const { SuccessorVersionID: _successor, Notes: _notes, Sunset: _sunset, ...rest } = first
  expect((await deprecate(admin, older, {})).json).toEqual(rest)
})

test('times are kept to the second, in any zone', async () => {
  const { older } = await addTwoVersions(admin)
  const { json } = await deprecate(admin, older, {
    Deprecated: '2026-05-01T01:30:00.999+02:00',
    Sunset: '2026-04-30T23:30:00.1Z',
  })
  expect([json.Deprecated, json.Sunset]).toEqual(['2026-04-30T23:30:00.000Z', '2026-04-30T23:30:00.000Z'])
})

describe('refused, with nothing changed:', async () => {
  const { apiId, older, newer } = await addTwoVersions(admin)
  const before = (await deprecate(admin, older, { Deprecated: early, Sunset: late, SuccessorVersionID: newer })).json
  test.each([
    ['/Deprecated', { Deprecated: 'yesterday' }],
    ['/Deprecated', { Deprecated: '2026-01-01' }],
    ['/Deprecated', { Deprecated: 1767225600 }],
    ['/Deprecated', { Deprecated: null }],
    ['/Deprecated', { Deprecated: '2026-02-30T00:00:00Z' }],
    ['/Deprecated', { Deprecated: '2026-12-31T23:59:60Z' }],
    ['/Deprecated', { Deprecated: '1969-12-31T23:59:59Z' }],
    ['/Deprecated', { Deprecated: '2026-01-01T00:00:00Z[Europe/Berlin]' }],
    ['/Sunset', { Sunset: '9999-12-31T23:59:59-12:00' }],
    ['/Sunset', { Sunset: '2025-12-31T23:59:59Z' }],
    ['/Sunset', { Deprecated: late, Sunset: early }],
    ['/SuccessorVersionID', { SuccessorVersionID: 7 }],
    ['/SuccessorVersionID', { SuccessorVersionID: 'x'.repeat(201) }],
    ['/SuccessorVersionID', { SuccessorVersionID: older }],
    ['/Notes', { Notes: 'x'.repeat(4001) }],
    ['/Notes', { Notes: '\u0000' }],
    ['/Notes', { Notes: ['x'] }],
    ['/Successor', { Successor: newer }],
    ['', []],
    ['', ''],
  ])('%s of %j', async (pointer, body) => {
    const answer = await deprecate(admin, older, body, { 'content-type': 'application/json' })
    expect([answer.status, answer.json.errors?.[0]?.pointer]).toEqual([400, pointer])
    expect((await admin.get(deprecationOf(older))).json).toEqual(before)
  })

  test.each([unknown, '', 'x', newer.toUpperCase(), newer.replace('.platform', ''), apiId])(
    'the successor "%s", which is no version',
    async (SuccessorVersionID) => {
      const { status, json } = await deprecate(admin, older, { SuccessorVersionID })
      const [text, message] =
        SuccessorVersionID === apiId
          ? [`"${apiId}" names an [api], where a version is expected.`, 'names an [api]']
          : [`No version has the id "${SuccessorVersionID}".`, 'is the id of no version']
      const error = { pointer: '/SuccessorVersionID', message }
      expect([status, json.faultstring, json.errors]).toEqual([404, text, [error]])
      expect((await admin.get(deprecationOf(older))).json).toEqual(before)
    },
  )
})

describe('the successor is readable by whoever reads the version', async () => {
  const of = async (api: string, older: string, newer: string) => {
    const made = await addTwoVersions(admin, { Visibility: api }, { Visibility: older }, { Visibility: newer })
    return (await deprecate(admin, made.older, { SuccessorVersionID: made.newer })).status
  }
  test.each([
    ['Public', 'Public', 200],
    ['Public', registered, 400],
    ['Public', 'Limited', 400],
    [registered, 'Public', 200],
    [registered, registered, 200],
    [registered, 'Limited', 400],
    ['Limited', 'Public', 200],
    ['Limited', registered, 200],
    ['Limited', 'Limited', 200],
  ])('a %s one and a %s one: %i', async (older, newer, status) => {
    expect(await of('Public', older, newer)).toBe(status)
  })

  test('a Limited one of another API has other readers', async () => {
    const { older } = await addTwoVersions(admin, { Visibility: 'Limited' })
    const other = await addTwoVersions(admin, { Visibility: 'Limited' })
    const { status, json } = await deprecate(admin, older, { SuccessorVersionID: other.newer })
    expect([status, json.errors[0].message]).toEqual([400, 'must be readable by whoever may read this version'])
  })
})

test('a successor that the caller may not read is as unknown as one that is not there', async () => {
  const { client, id } = await service.person()
  const { groupId, older } = await addTwoVersions(admin)
  await admin.post(`/api/groups/${groupId}/members`, { UserID: id })
  const hidden = await addTwoVersions(admin, { Visibility: 'Limited' })
  const faults = []
  for (const SuccessorVersionID of [hidden.newer, unknown, 'x']) {
    const { text } = await deprecate(client, older, { SuccessorVersionID })
    faults.push({ ...JSON.parse(text.replaceAll(`\\"${SuccessorVersionID}\\"`, 'id')), instance: '' })
  }
  expect(faults[0]).toMatchObject({ status: 404, errors: [{ pointer: '/SuccessorVersionID' }] })
  expect(faults[1]).toEqual(faults[0])
  expect(faults[2]).toEqual(faults[0])
})

test('successors lead nowhere in a circle, also when all are put at once', async () => {
  const pairs = await Promise.all([addTwoVersions(admin), addTwoVersions(admin)])
  const ring = pairs.flatMap(({ older, newer }) => [older, newer])
  const next = (at: number) => ring[(at + 1) % ring.length]
  const answers = await Promise.all(ring.map((id, at) => deprecate(admin, id, { SuccessorVersionID: next(at) })))
  const statuses = answers.map(({ status }) => status).sort()
  expect(statuses).toEqual([200, 200, 200, 400])
  const refused = answers.findIndex(({ status }) => status === 400)
  const again = await deprecate(admin, ring[refused] as string, { SuccessorVersionID: next(refused) })
  expect(again.json.errors[0].message).toBe('must not have this version as a successor, near or far')
})

test('a successor that is removed is one no more', async () => {
  const { older, newer } = await addTwoVersions(admin)
  await deprecate(admin, older, { Deprecated: early, SuccessorVersionID: newer })
  expect((await admin.send('DELETE', `/api/apis/versions/${newer}`)).status).toBe(200)
  const { status, json } = await admin.get(deprecationOf(older))
  expect([status, json.Deprecated, json.SuccessorVersionID]).toEqual([200, early, undefined])
})

test('each change makes a revision, of which the history and If-Match know', async () => {
  const { older } = await addTwoVersions(admin)
  const path = `/api/apis/versions/${older}`
  const before = await admin.get(path)
  const match = { 'if-match': String(before.headers.etag) }
  expect((await deprecate(admin, older, {}, match)).status).toBe(200)
  expect((await deprecate(admin, older, { Notes: 'too late' }, match)).status).toBe(412)
  expect((await admin.send('DELETE', deprecationOf(older), { headers: match })).status).toBe(412)
  const read = await admin.get(path, { 'if-none-match': String(before.headers.etag) })
  expect([read.status, read.text]).toEqual([200, before.text])
  await admin.send('DELETE', deprecationOf(older))
  const history = (await admin.get(`${path}/history`)).json
  expect(history.map(({ Revision, Action }: Record<string, unknown>) => [Revision, Action])).toEqual([
    [3, '@Undeprecate'],
    [2, '@Deprecate'],
    [1, '@Create'],
  ])
})

test('of writers at once each makes its revision', async () => {
  const { older } = await addTwoVersions(admin)
  const writers = Array.from({ length: 8 }, (_, n) => deprecate(admin, older, { Notes: `${n}` }))
  expect((await Promise.all(writers)).map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect((await admin.get(`/api/apis/versions/${older}/history`)).json).toHaveLength(9)
})

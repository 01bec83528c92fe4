import { describe, expect, test } from 'vitest'
import { addTwoVersions, deprecate, deprecationOf, headersOf, said } from '../support/deprecations.ts'
import { fixture } from '../support/fixtures.ts'
import { descriptorOf } from '../support/form.ts'
import { everyPage } from '../support/lists.ts'
import { startService } from '../support/service.ts'

const service = await startService({ SUNSET_DATE: '2027-03-01' })
const admin = await service.siteAdmin()
const nobody = service.client()
const early = '2026-01-01T00:00:00Z'
const late = '2027-06-30T22:00:00Z'
const operationsSince = Date.UTC(2026, 10, 21) / 1000
const nothing = { deprecation: undefined, sunset: undefined, link: undefined }
const versions = await addTwoVersions(admin)
const { older, newer, apiId } = versions
await deprecate(admin, older, { Deprecated: early, Sunset: late, SuccessorVersionID: newer })
const path = `/api/apis/versions/${older}`

describe('a deprecated version says so', () => {
  const expected = headersOf(older, early, late, newer)
  test.each([
    [path, 'application/json'],
    [path, 'application/xml'],
    [path, 'application/vnd.platform.v71+json'],
    [`${path}?IncludeOperations=false`, 'application/json'],
    ...['swagger', 'swagger12', 'oas30', 'oas31'].map((word) => [`${path}/definition/${word}`, 'application/json']),
    [`${path}/definition/oas31`, 'application/yaml'],
  ])('%s as %s', async (address, accept) => {
    const answer = await nobody.get(address as string, { accept: accept as string })
    expect([answer.status, said(answer)]).toEqual([200, expected])
    const head = await nobody.send('HEAD', address as string, { headers: { accept: accept as string } })
    expect(said(head)).toEqual(expected)
  })

  test.each(['application/json', 'application/xml'])('304, as %s', async (accept) => {
    const { etag } = (await nobody.get(path, { accept })).headers
    const answer = await nobody.get(path, { accept, 'if-none-match': String(etag) })
    expect([answer.status, said(answer)]).toEqual([304, expected])
  })

  test('its links lead to what they say', async () => {
    for (const [, link = ''] of String(expected.link).matchAll(/<([^>]+)>/g)) {
      expect((await nobody.get(link)).status).toBe(200)
    }
  })
})

test('the document that it was imported from says so', async () => {
  const DLDescriptor = await descriptorOf(admin, fixture('petstore-3.0.yaml'))
  const v81 = { 'content-type': 'application/vnd.platform.v81+json' }
  const id = (await admin.post('/api/apis', { DLDescriptor }, v81)).json.LatestVersionID
  await deprecate(admin, id, { Deprecated: early })
  const answer = await admin.get(`/api/apis/versions/${id}/definition/oas30?original=true`)
  expect([answer.status, said(answer)]).toEqual([200, headersOf(id, early)])
})

describe('the deprecated export', () => {
  const replacement = (id: string) => `</api/apis/versions/${id}/definition/swagger>; rel="successor-version"`

  test('of a deprecated version has the earlier times, and the links of both', async () => {
    const answer = await nobody.get(`${path}/swagger/all`)
    const { link, ...times } = said(answer)
    const sunset = new Date('2027-03-01').toUTCString()
    expect(times).toEqual({ deprecation: headersOf(older, early).deprecation, sunset })
    expect(link).toBe(`${replacement(older)}, ${headersOf(older, early, late, newer).link}`)
  })

  test('is deprecated itself where the version will be later', async () => {
    const { older: id } = await addTwoVersions(admin)
    await deprecate(admin, id, { Deprecated: late, Sunset: late })
    expect(said(await nobody.get(`/api/apis/versions/${id}/swagger/all`))).toEqual({
      deprecation: `@${operationsSince}`,
      sunset: new Date('2027-03-01').toUTCString(),
      link: `${replacement(id)}, ${headersOf(id, late).link}`,
    })
  })

  test('of an ordinary version is as before', async () => {
    expect(said(await nobody.get(`/api/apis/versions/${newer}/swagger/all`))).toMatchObject({
      deprecation: `@${operationsSince}`,
      link: replacement(newer),
    })
  })
})

describe('what shows a deprecated version', () => {
  const anchored = (id: string, link: string | undefined) =>
    link?.replace(/(?=, <|$)/g, `; anchor="/api/apis/versions/${id}"`)

  test('an API with the version nested, 304 included; an API alone does not', async () => {
    const made = await addTwoVersions(admin)
    await deprecate(admin, made.newer, { Deprecated: early, SuccessorVersionID: made.older })
    const { link, ...times } = headersOf(made.newer, early, undefined, made.older)
    const expected = { ...times, link: anchored(made.newer, link) }
    const api = `/api/apis/${made.apiId}`
    const whole = await nobody.get(`${api}?includeDefaultVersion=true`)
    expect([whole.status, said(whole)]).toEqual([200, expected])
    const unchanged = await nobody.get(`${api}?includeDefaultVersion=true`, {
      'if-none-match': String(whole.headers.etag),
    })
    expect([unchanged.status, said(unchanged)]).toEqual([304, expected])
    expect(said(await nobody.get(api))).toEqual(nothing)
  })

  test('an API whose latest version the caller may not read says nothing', async () => {
    const made = await addTwoVersions(admin, {}, {}, { Visibility: 'Limited' })
    await deprecate(admin, made.newer)
    const api = `/api/apis/${made.apiId}?includeDefaultVersion=true`
    expect(said(await nobody.get(api))).toEqual(nothing)
    expect(said(await admin.get(api)).deprecation).toBeDefined()
  })

  test('the list of the versions of an API', async () => {
    const { link, ...times } = headersOf(older, early, late, newer)
    expect(said(await nobody.get(`/api/apis/${apiId}/versions`))).toEqual({ ...times, link: anchored(older, link) })
    expect(said(await nobody.get('/api/apis/versions'))).toEqual(nothing)
  })

  test('such a list with the earliest times, the links of five, and the next page', async () => {
    const made = await addTwoVersions(admin)
    const ids = [made.older, made.newer]
    for (let n = 3; n <= 9; n++) {
      ids.push((await admin.post(`/api/apis/${made.apiId}/versions`, { Name: `${n}` })).json.APIVersionID)
    }
    for (const [n, id] of ids.slice(1).entries()) {
      await deprecate(admin, id, { Deprecated: `2026-0${9 - n}-01T00:00:00Z`, Sunset: `2027-0${n + 1}-01T00:00:00Z` })
    }
    const [first, second] = await everyPage(nobody, `/api/apis/${made.apiId}/versions?count=8&sort=name`)
    expect(first && said(first)).toMatchObject({
      deprecation: `@${Date.parse('2026-03-01T00:00:00Z') / 1000}`,
      sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
      link: expect.stringMatching(/^<[^>]+>; rel="next", </),
    })
    expect(String(first?.headers.link).match(/rel="deprecation"/g)).toHaveLength(5)
    expect(String(second?.headers.link).match(/rel="(deprecation|next)"/g)).toEqual(['rel="deprecation"'])
  })
})

test('a successor is shown to whom may read it at that time', async () => {
  const { client, id } = await service.person()
  const plain = (await service.person()).client
  const made = await addTwoVersions(admin)
  await admin.post(`/api/groups/${made.groupId}/members`, { UserID: id })
  await deprecate(admin, made.older, { Deprecated: early, SuccessorVersionID: made.newer })
  const told = { nobody, plain, client, admin }
  const readers = async () => {
    const names: string[] = []
    for (const [name, caller] of Object.entries(told)) {
      const { link } = said(await caller.get(`/api/apis/versions/${made.older}`))
      const shows = String(link).includes(made.newer)
      const list = said(await caller.get(`/api/apis/${made.apiId}/versions`)).link
      expect(String(list).includes(made.newer), name).toBe(shows)
      const { json } = await caller.get(deprecationOf(made.older))
      expect(json.SuccessorVersionID, name).toBe(shows ? made.newer : undefined)
      if (shows) names.push(name)
    }
    return names
  }
  const narrow = (Visibility: string) =>
    admin.send('PUT', `/api/apis/versions/${made.newer}`, { body: { Name: '2.0', Visibility } })
  expect(await readers()).toEqual(['nobody', 'plain', 'client', 'admin'])
  await narrow('com.platform.visibility.registered.users')
  expect(await readers()).toEqual(['plain', 'client', 'admin'])
  await narrow('Limited')
  expect(await readers()).toEqual(['client', 'admin'])
})

test('a successor in an API that becomes Limited is shown to no one else', async () => {
  const made = await addTwoVersions(admin)
  const other = await addTwoVersions(admin)
  await deprecate(admin, made.older, { SuccessorVersionID: other.newer })
  const shows = async () =>
    String(said(await nobody.get(`/api/apis/versions/${made.older}`)).link).includes(other.newer)
  expect(await shows()).toBe(true)
  await admin.send('PUT', `/api/apis/${other.apiId}`, { body: { Visibility: 'Limited' } })
  expect(await shows()).toBe(false)
})

test('an ordinary version says nothing, nor does one that is deprecated no more, nor a refusal', async () => {
  expect(said(await nobody.get(`/api/apis/versions/${newer}`))).toEqual(nothing)
  const made = await addTwoVersions(admin, { Visibility: 'Limited' })
  await deprecate(admin, made.older)
  expect(said(await nobody.get(`/api/apis/versions/${made.older}`))).toEqual(nothing)
  await admin.send('DELETE', deprecationOf(made.older))
  expect(said(await admin.get(`/api/apis/versions/${made.older}`))).toEqual(nothing)
})

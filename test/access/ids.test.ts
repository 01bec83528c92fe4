import { describe, expect, test } from 'vitest'
import { exampleApi } from '../support/examples.ts'
import { sendPicture } from '../support/form.ts'
import { pictures } from '../support/pictures.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()
const { client: user, id: userId } = await service.person()
const api = (await admin.post('/api/apis', exampleApi())).json

const unknown = '00000000-0000-7000-8000-000000000000.platform'
const body = { UserID: userId }
const rating = (id: string) => `/api/apis/versions/${id}/ratings/${userId}`
const { PictureID } = (await sendPicture(admin, pictures['image/png'])).json
const picturedId = (await admin.post('/api/apis', { ...exampleApi(), PictureID })).json.APIID

/** Every place of an id, as whoever may do everything. */
const places: [place: string, known: string, send: (id: string) => ReturnType<typeof admin.get>][] = [
  ['GET API', api.APIID, (id) => admin.get(`/api/apis/${id}`)],
  ['PUT API', api.APIID, (id) => admin.send('PUT', `/api/apis/${id}`, { body: { Description: 'changed' } })],
  ['POST API version', api.APIID, (id) => admin.post(`/api/apis/${id}/versions`, { Name: 'next' })],
  ['GET API version', api.LatestVersionID, (id) => admin.get(`/api/apis/versions/${id}`)],
  ['GET definition', api.LatestVersionID, (id) => admin.get(`/api/apis/versions/${id}/definition/swagger`)],
  ['GET swagger', api.LatestVersionID, (id) => admin.get(`/api/apis/versions/${id}/swagger/pets`)],
  ['POST follow', api.APIID, (id) => admin.post(`/api/apis/${id}/follow`)],
  ['DELETE follow', api.APIID, (id) => admin.send('DELETE', `/api/apis/${id}/follow`)],
  ['GET avatar', picturedId, (id) => admin.get(`/api/apis/${id}/avatar`)],
  ['PUT rating', api.LatestVersionID, (id) => user.send('PUT', rating(id), { body: { Rating: 3 } })],
  ['DELETE rating', api.LatestVersionID, (id) => user.send('DELETE', rating(id))],
  ['POST member', api.AdminGroupID, (id) => admin.post(`/api/groups/${id}/members`, body)],
  ['DELETE member', userId, (id) => admin.send('DELETE', `/api/groups/${api.AdminGroupID}/members/${id}`)],
  ['GET user', userId, (id) => admin.get(`/api/users/${id}`)],
  ['GET login domain of a user', userId, (id) => admin.get(`/api/users/${id}/logindomain`)],
  ['PUT role', userId, (id) => admin.send('PUT', `/api/users/${id}/roles/BusinessAdmin`)],
  ['DELETE role', userId, (id) => admin.send('DELETE', `/api/users/${id}/roles/BusinessAdmin`)],
]

const bad: [name: string, change: (id: string) => string][] = [
  ['is unknown', () => unknown],
  ['has the suffix of another federation member', (id) => id.replace('.platform', '.other')],
  ['has a suffix as long as ours', (id) => id.replace('.platform', '.platfarm')],
  ['has a longer suffix', (id) => `${id}x`],
  ['has two suffixes', (id) => `${id}.platform`],
  ['has no suffix', (id) => id.replace('.platform', '')],
  ['is the suffix alone', () => '.platform'],
  ['is in upper case', (id) => id.toUpperCase()],
  ['has its unique part in upper case', (id) => `${id.slice(0, 36).toUpperCase()}.platform`],
  ['is in braces', (id) => `%7B${id.slice(0, 36)}%7D.platform`],
  ['has a NUL', (id) => `%00${id}`],
  ['ends in a NUL', (id) => `${id}%00`],
  ['has a blank', (id) => `${id}%20`],
  ['is a number', () => '1'],
  ['is a number with suffix', () => '99999999999999999999.platform'],
  ['is SQL', () => "'%20or%201=1--.platform"],
  ['is not Latin', () => '%F0%9F%90%88.platform'],
]

describe.each(places)('%s', (place, known, send) => {
  test.each(bad)('is 404 for an id that %s', async (_case, change) => {
    const answer = await send(change(known))
    expect(answer.status, answer.text).toBe(404)
    expect(answer.json.faultcode).toBe('NotFound')
  })

  test('is 404 or 414 for an id of 600 characters', async () => {
    expect([404, 414]).toContain((await send('a'.repeat(600))).status)
  })

  test('is 200 for the id that is known', async () => {
    if (place === 'DELETE member') await admin.post(`/api/groups/${api.AdminGroupID}/members`, body)
    const answer = await send(known)
    expect(answer.status, answer.text).toBe(200)
  })
})

describe('an id of the other kind is 404 with the kind that was given', () => {
  test.each([
    ['GET', `/api/apis/${api.LatestVersionID}`],
    ['PUT', `/api/apis/${api.LatestVersionID}`],
    ['POST', `/api/apis/${api.LatestVersionID}/versions`],
    ['GET', `/api/apis/versions/${api.APIID}`],
    ['PUT', `/api/apis/versions/${api.APIID}`],
    ['PUT', `/api/apis/versions/${api.APIID}/info`],
    ['DELETE', `/api/apis/versions/${api.APIID}`],
    ['DELETE', `/api/apis/${api.LatestVersionID}`],
  ])('%s %s', async (method, path) => {
    const isInfo = path.endsWith('/info')
    const answer = await admin.send(method, path, /^P/.test(method) ? { body: isInfo ? {} : { Name: 'other' } } : {})
    expect(answer.status, answer.text).toBe(404)
    const expected = path.includes(api.APIID)
      ? `"${api.APIID}" names an [api], where a version is expected.`
      : `"${api.LatestVersionID}" names an [apiversion], where an API is expected.`
    expect(answer.json.faultstring).toBe(expected)
  })
})

test.each([
  ['API', `/api/apis/${unknown}`, unknown],
  ['API', '/api/apis/zzz', 'zzz'],
  ['version', `/api/apis/versions/${unknown}`, unknown],
])('an id that names no %s is said to be of none, without the words that clients look for', async (kind, path, id) => {
  for (const client of [admin, user, service.client()]) {
    const answer = await client.get(path)
    expect(answer.status).toBe(404)
    expect(answer.json.faultstring).toBe(`No ${kind} has the id "${id}".`)
  }
})

test('an id in the body is held to the same', async () => {
  for (const id of [unknown, userId.replace('.platform', ''), 'x', '\u0007', `${'a'.repeat(200)}`]) {
    const answer = await admin.post(`/api/groups/${api.AdminGroupID}/members`, { UserID: id })
    expect(answer.status, id).toBe(id === '\u0007' ? 400 : 404)
  }
})

test('people learn of no other id whether it exists', async () => {
  const other = (await service.person()).id
  for (const path of ['', '/logindomain']) {
    const [existing, missing] = [
      await user.get(`/api/users/${other}${path}`),
      await user.get(`/api/users/${unknown}${path}`),
    ]
    for (const answer of [existing, missing]) expect(answer.status).toBe(401)
    expect({ ...existing.json, instance: '' }).toEqual({ ...missing.json, instance: '' })
  }
})

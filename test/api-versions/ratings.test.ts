import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { exampleApi, exampleVersion } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()
const none = { Five: 0, Four: 0, Three: 0, Two: 0, One: 0 }
const ratersAtOnce = 6
const raters = await Promise.all(Array.from({ length: ratersAtOnce }, () => service.person()))
const [rater, other] = raters as [(typeof raters)[0], (typeof raters)[0]]

async function rated() {
  const { APIID } = (await admin.post('/api/apis', exampleApi())).json
  const { APIVersionID } = (await admin.post(`/api/apis/${APIID}/versions`, exampleVersion())).json
  return { api: `/api/apis/${APIID}`, version: `/api/apis/versions/${APIVersionID}`, APIVersionID }
}

const rate = (who: { client: Client; id: string }, version: string, Rating: unknown) =>
  who.client.send('PUT', `${version}/ratings/${who.id}`, { body: { Rating } })
const unrate = (who: { client: Client; id: string }, version: string) =>
  who.client.send('DELETE', `${version}/ratings/${who.id}`)
const summary = async (path: string, client: Client = admin) => (await client.get(path)).json.RatingSummary

describe('a rating', () => {
  test('is counted in the version and its API, replaced, and taken back; nothing else changes', async () => {
    const { api, version, APIVersionID } = await rated()
    const before = (await admin.get(version)).json
    const answer = await rate(rater, version, 5)
    expect([answer.status, answer.json]).toEqual([200, { ID: APIVersionID, UserID: rater.id, Rating: 5 }])
    expect((await rate(other, version, '2')).status).toBe(200)
    expect((await admin.get(version)).json).toEqual({ ...before, RatingSummary: { ...none, Five: 1, Two: 1 } })
    expect(await summary(api)).toEqual({ ...none, Five: 1, Two: 1 })
    await rate(rater, version, 4)
    expect(await summary(version)).toEqual({ ...none, Four: 1, Two: 1 })
    for (let times = 0; times < 2; times++) {
      const gone = await unrate(rater, version)
      expect([gone.status, gone.text]).toEqual([200, ''])
    }
    expect(await summary(version)).toEqual({ ...none, Two: 1 })
    expect(await summary(api)).toEqual({ ...none, Two: 1 })
  })

  test('as XML', async () => {
    const { version } = await rated()
    const answer = await rater.client.send('PUT', `${version}/ratings/${rater.id}`, {
      body: '<Rating><Rating>3</Rating></Rating>',
      headers: { 'content-type': 'application/xml', accept: 'application/xml' },
    })
    expect(answer.text).toContain(`<UserID>${rater.id}</UserID><Rating>3</Rating></Rating>`)
    expect((await admin.get(version, { accept: 'text/xml' })).text).toContain('<Three>1</Three>')
  })

  test.each([0, 6, -1, 1.5, 'five', null, undefined])('%j is none: 400', async (Rating) => {
    const { version } = await rated()
    const answer = await rate(rater, version, Rating)
    expect([answer.status, answer.json.errors[0].pointer]).toEqual([400, '/Rating'])
    expect(await summary(version)).toEqual(none)
  })

  test('is of the caller alone, also for a Site Admin', async () => {
    const { version } = await rated()
    for (const client of [admin, other.client, service.client()]) {
      const answer = await client.send('PUT', `${version}/ratings/${rater.id}`, { body: { Rating: 1 } })
      expect(answer.status).toBe(401)
    }
    expect(await summary(version)).toEqual(none)
  })

  test('needs Read permission on the version', async () => {
    const { version } = await rated()
    await admin.send('PUT', `${version}/info`, { body: { Visibility: 'Limited' } })
    expect((await rate(rater, version, 1)).status).toBe(401)
    expect((await unrate(rater, version)).status).toBe(401)
    expect(await summary(version)).toEqual(none)
  })
})

test('an API counts the ratings of those versions that the caller may read, and of no other', async () => {
  const { api, version } = await rated()
  await rate(rater, version, 5)
  const { APIVersionID } = (await admin.post(`${api}/versions`, { Name: 'open' })).json
  await rate(rater, `/api/apis/versions/${APIVersionID}`, 1)
  expect(await summary(api, other.client)).toEqual({ ...none, Five: 1, One: 1 })
  await admin.send('PUT', version, { body: { ...exampleVersion(), Visibility: 'Limited' } })
  expect(await summary(api, other.client)).toEqual({ ...none, One: 1 })
  expect(await summary(api, service.client())).toEqual({ ...none, One: 1 })
  expect(await summary(api)).toEqual({ ...none, Five: 1, One: 1 })
  const put = await admin.send('PUT', api, { body: { Description: 'x' } })
  expect(put.json.RatingSummary).toEqual({ ...none, Five: 1, One: 1 })
  await admin.send('DELETE', version)
  expect(await summary(api)).toEqual({ ...none, One: 1 })
})

test('every change of a version keeps its ratings, whatever the body says', async () => {
  const { api, version, APIVersionID } = await rated()
  await rate(rater, version, 5)
  const counted = { ...none, Five: 1 }
  const RatingSummary = { ...none, Five: 99 }
  const whole = { ...exampleVersion(), RatingSummary }
  expect((await admin.send('PUT', version, { body: whole })).json.RatingSummary).toEqual(counted)
  const info = await admin.send('PUT', `${version}/info`, { body: { VersionNotes: 'x' } })
  expect(info.json.RatingSummary).toEqual(counted)
  const nested = { RatingSummary, APIVersion: { APIVersionID, Description: 'y', RatingSummary } }
  const { json } = await admin.send('PUT', api, { body: nested })
  expect([json.RatingSummary, json.APIVersion.RatingSummary]).toEqual([counted, counted])
  expect(await summary(version)).toEqual(counted)
  const added = await admin.post(`${api}/versions`, { ...whole, Name: 'fresh' })
  expect(added.json.RatingSummary).toEqual(none)
})

describe('states', () => {
  test('every changed count is another state of the version and the API, and the same count is not', async () => {
    const { api, version } = await rated()
    const paths = [version, api, `${api}?includeDefaultVersion=true`]
    const tags = () => Promise.all(paths.map(async (path) => (await admin.get(path)).headers.etag as string))
    const changed = async (change: () => Promise<unknown>) => {
      const before = await tags()
      await change()
      const statuses = paths.map(
        async (path, n) => (await admin.get(path, { 'if-none-match': before[n] ?? '' })).status,
      )
      return Promise.all(statuses)
    }
    expect(await changed(() => rate(rater, version, 5))).toEqual([200, 200, 200])
    expect(await changed(() => rate(rater, version, 5))).toEqual([304, 304, 304])
    expect(await changed(() => rate(rater, version, 4))).toEqual([200, 200, 200])
    expect(await changed(() => unrate(rater, version))).toEqual([200, 200, 200])
    expect(await changed(() => unrate(rater, version))).toEqual([304, 304, 304])
  })

  test('an editor is not refused because somebody rated meanwhile', async () => {
    const { api, version } = await rated()
    for (const path of [version, api]) {
      const { etag } = (await admin.get(path)).headers
      await rate(rater, version, path === api ? 2 : 3)
      const headers = { 'if-match': String(etag) }
      const body = path === api ? { Description: 'x' } : exampleVersion()
      expect((await admin.send('PUT', path, { body, headers })).status).toBe(200)
    }
    expect(await summary(version)).toEqual({ ...none, Two: 1 })
  })
})

test('raters and editors at once lose nothing', async () => {
  const { api, version } = await rated()
  const notes = Array.from({ length: 4 }, (_, n) =>
    admin.send('PUT', `${version}/info`, { body: { VersionNotes: `note ${n}` } }),
  )
  const ratings = [1, 3, 5].flatMap((rating) => raters.map((who) => rate(who, version, rating)))
  const answers = await Promise.all([...ratings, ...notes])
  expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([])
  const { rows } = await sql<{ rating: number; count: number }>`select rating, count(*)::integer from version_rating
    where version_id = ${version.slice(-45, -9)} group by rating`.execute(service.db)
  const words = ['One', 'Two', 'Three', 'Four', 'Five']
  const stored = Object.fromEntries(rows.map(({ rating, count }) => [words[rating - 1], count]))
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(ratersAtOnce)
  expect(await summary(version)).toEqual({ ...none, ...stored })
  expect(await summary(api)).toEqual({ ...none, ...stored })
  expect((await admin.get(version)).json.Description).toMatch(/^note \d$/)
})

test('rating while the version is removed: 200 or 404, and nothing is left', async () => {
  const { version } = await rated()
  const rating = raters.map((who) => rate(who, version, 5))
  const answers = await Promise.all([...rating, admin.send('DELETE', version)])
  for (const { status } of answers) expect([200, 404]).toContain(status)
  const left = await sql`select from version_rating where version_id = ${version.slice(-45, -9)}`.execute(service.db)
  expect(left.rows).toEqual([])
})

test('with a user their ratings go, and are counted no more', async () => {
  const { api, version } = await rated()
  const leaving = await service.person()
  await rate(leaving, version, 5)
  await rate(rater, version, 5)
  await sql`delete from app_user where id = ${leaving.id.split('.')[0]}`.execute(service.db)
  expect(await summary(version)).toEqual({ ...none, Five: 1 })
  expect(await summary(api)).toEqual({ ...none, Five: 1 })
})

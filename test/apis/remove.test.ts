import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { exampleApi } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()

async function apiWith(...names: string[]) {
  const { APIID, APIVersion } = (await admin.post('/api/apis', exampleApi())).json
  const versions: string[] = [APIVersion.APIVersionID]
  for (const Name of names) {
    versions.push((await admin.post(`/api/apis/${APIID}/versions`, { Name })).json.APIVersionID)
  }
  return { APIID, versions }
}

test.each(['*/*', 'text/plain', 'application/json'])(
  'a version is removed with Accept %s: 200 and no body',
  async (accept) => {
    const { versions } = await apiWith('1.0')
    const answer = await admin.send('DELETE', `/api/apis/versions/${versions[0]}`, { headers: { accept } })
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect((await admin.get(`/api/apis/versions/${versions[0]}`)).status).toBe(404)
    expect((await admin.send('DELETE', `/api/apis/versions/${versions[0]}`)).status).toBe(404)
  },
)

test('the latest moves back to the newest that is left', async () => {
  const { APIID, versions } = await apiWith('1.0', '2.0')
  const latest = async () => (await admin.get(`/api/apis/${APIID}`)).json.LatestVersionID
  await admin.send('DELETE', `/api/apis/versions/${versions[1]}`)
  expect(await latest()).toBe(versions[2])
  await admin.send('DELETE', `/api/apis/versions/${versions[2]}`)
  expect(await latest()).toBe(versions[0])
})

test('with its last version the API is removed', async () => {
  const { APIID, versions } = await apiWith()
  expect((await admin.send('DELETE', `/api/apis/versions/${versions[0]}`)).status).toBe(200)
  expect((await admin.get(`/api/apis/${APIID}`)).status).toBe(404)
})

test('an API is removed with its versions', async () => {
  const { APIID, versions } = await apiWith('1.0')
  const answer = await admin.send('DELETE', `/api/apis/${APIID}`)
  expect([answer.status, answer.text]).toEqual([200, ''])
  for (const path of [`/api/apis/${APIID}`, ...versions.map((id) => `/api/apis/versions/${id}`)]) {
    expect((await admin.get(path)).status).toBe(404)
  }
})

test('whoever may not modify it removes nothing: 401', async () => {
  const { APIID, versions } = await apiWith()
  const { client } = await service.person()
  expect((await client.send('DELETE', `/api/apis/versions/${versions[0]}`)).status).toBe(401)
  expect((await client.send('DELETE', `/api/apis/${APIID}`)).status).toBe(401)
  expect((await admin.get(`/api/apis/versions/${versions[0]}`)).status).toBe(200)
})

test('both versions of an API removed at once: the API goes, and nothing is left half', async () => {
  const { APIID, versions } = await apiWith('1.0')
  const answers = await Promise.all(versions.map((id) => admin.send('DELETE', `/api/apis/versions/${id}`)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect((await admin.get(`/api/apis/${APIID}`)).status).toBe(404)
})

test.each(['an API', 'its last version'])(
  'who changes an API while %s is removed waits for nobody else',
  async (what) => {
    const { APIID, versions } = await apiWith()
    const before = await deadlocks()
    const sent = await service.db.transaction().execute(async (trx) => {
      // The removal comes first.
      await trx.selectFrom('api').where('id', '=', APIID.slice(0, 36)).select('id').forUpdate().execute()
      const path = what === 'an API' ? `/api/apis/${APIID}` : `/api/apis/versions/${versions[0]}`
      const removal = admin.send('DELETE', path)
      await sleep(100)
      const addition = admin.post(`/api/apis/${APIID}/versions`, { Name: 'late' })
      await sleep(100)
      return [removal, addition]
    })
    const answers = await Promise.all(sent)
    expect(answers.map(({ status }) => status)).toEqual([200, 404])
    expect(await deadlocks()).toBe(before)
  },
)

async function deadlocks(): Promise<string | undefined> {
  const { rows } = await sql<{ deadlocks: string }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(service.db)
  return rows[0]?.deadlocks
}

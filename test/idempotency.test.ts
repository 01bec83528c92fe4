import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { exampleApi, exampleVersion } from './support/examples.ts'
import { sendFile } from './support/form.ts'
import { startService } from './support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()
const { APIID } = (await admin.post('/api/apis', exampleApi())).json
const versions = `/api/apis/${APIID}/versions`
const named = (Name: string) => ({ ...exampleVersion(), Name })
const key = () => ({ 'idempotency-key': randomUUID() })

test('the same key and body: the same answer, and nothing is done again', async () => {
  for (const [path, body] of [
    [versions, named('1.0')],
    ['/api/apis', exampleApi()],
    ['/api/users', { Email: 'once@example.com', Password: 'password' }],
  ] as const) {
    const headers = key()
    const first = await admin.post(path, body, headers)
    expect(first.status).toBe(200)
    const again = await admin.post(path, body, headers)
    expect([again.status, again.json]).toEqual([200, first.json])
    expect(again.headers['platform-renew-token']).toBe(first.headers['platform-renew-token'])
  }
})

test('the answer comes in the representation that the repetition asks for', async () => {
  const headers = key()
  const first = await admin.post(versions, named('as JSON'), headers)
  const again = await admin.post(versions, named('as JSON'), { ...headers, accept: 'application/xml' })
  expect(again.status).toBe(200)
  expect(again.text).toContain(`<APIVersionID>${first.json.APIVersionID}</APIVersionID>`)
})

test('the same key with another body, or for another operation: 422', async () => {
  const headers = key()
  expect((await admin.post(versions, named('first'), headers)).status).toBe(200)
  expect((await admin.post(versions, named('second'), headers)).status).toBe(422)
  expect((await admin.post('/api/apis', exampleApi(), headers)).json.faultcode).toBe('ReusedKey')
})

test('a request that was refused may be sent again with its key', async () => {
  const headers = key()
  expect((await admin.post(versions, { Name: '0.9' }, headers)).status).toBe(400)
  expect((await admin.post(versions, { Name: 'corrected' }, headers)).status).toBe(200)
})

test('sent many times at once it happens once', async () => {
  const headers = key()
  const answers = await Promise.all(Array.from({ length: 8 }, () => admin.post(versions, named('at once'), headers)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(answers.map(({ json }) => json.APIVersionID)).size).toBe(1)
})

test("a key is its caller's own", async () => {
  const headers = key()
  const other = await service.person('BusinessAdmin')
  const [mine, theirs] = [
    await admin.post('/api/apis', exampleApi(), headers),
    await other.client.post('/api/apis', exampleApi(), headers),
  ]
  expect([mine.status, theirs.status]).toEqual([200, 200])
  expect(mine.json.APIID).not.toBe(theirs.json.APIID)
})

describe('after a day', async () => {
  const other = await service.person('BusinessAdmin')

  const age = (aged: string, hours: number) =>
    sql`update idempotency_key set created = now() - make_interval(hours => ${hours}) where key = ${aged}`.execute(
      service.db,
    )
  /** Keys of somebody else that are older than all others, so that removing a few meets them first. */
  const addOld = (count: number) =>
    sql`insert into idempotency_key (user_id, key, fingerprint, answer, created)
      select ${other.id.split('.')[0]}, gen_random_uuid(), '', '{}', now() - interval '9 days'
      from generate_series(1, ${count})`.execute(service.db)
  const countOld = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from idempotency_key
      where created < now() - interval '1 day'`.execute(service.db)
    return rows[0]?.count ?? 0
  }

  test('a key is as good as new, for the same request and for another, and then counts for a day', async () => {
    await addOld(60)
    const headers = key()
    const seen = new Set<string>()
    for (const body of [exampleApi(), exampleApi(), { ...exampleApi(), Name: 'Another' }]) {
      const first = await admin.post('/api/apis', body, headers)
      expect([first.status, first.json.Name]).toEqual([200, body.Name])
      const again = await admin.post('/api/apis', body, headers)
      expect(again.json).toEqual(first.json)
      seen.add(first.json.APIID)
      await age(headers['idempotency-key'], 25)
    }
    expect(seen.size).toBe(3)
    await age(headers['idempotency-key'], 23)
    expect((await admin.post('/api/apis', exampleApi(), headers)).status).toBe(422)
  })

  test('a key taken up again by many at once happens once', async () => {
    await addOld(100)
    const headers = key()
    const before = await admin.post('/api/apis', exampleApi(), headers)
    await age(headers['idempotency-key'], 25)
    const answers = await Promise.all(Array.from({ length: 8 }, () => admin.post('/api/apis', exampleApi(), headers)))
    const ids = new Set(answers.map(({ json }) => json.APIID))
    expect([ids.size, ids.has(before.json.APIID)]).toEqual([1, false])
  })

  test('keys go, whoever had them, with those that come', async () => {
    await addOld(15)
    for (let left = await countOld(); left > 0; left -= 10)
      expect((await admin.post('/api/apis', exampleApi(), key())).status).toBe(200)
    expect(await countOld()).toBe(0)
  })
})

test.each(['x'.repeat(256), 'a b', '\t'])('a key that is none: 400', async (wrong) => {
  expect((await admin.post(versions, named('no key'), { 'idempotency-key': wrong })).status).toBe(400)
})

test('a file to import is stored each time, as its operation says', async () => {
  const headers = key()
  const document = 'openapi: 3.0.0\ninfo: {title: Twice, version: 1.0}\npaths: {}\n'
  const sent = [await sendFile(admin, document, {}, headers), await sendFile(admin, document, {}, headers)]
  expect(sent.map(({ status }) => status)).toEqual([200, 200])
  expect(new Set(sent.map(({ json }) => json.DropboxFileId)).size).toBe(2)
  const { paths } = (await admin.get('/openapi.json')).json
  for (const path of ['readfiledetails', 'pictures']) {
    expect(paths[`/api/dropbox/${path}`].post.description).toContain('Idempotency-Key')
  }
})

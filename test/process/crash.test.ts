import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect } from 'vitest'
import { type Answer, type Client, createClient } from '../support/client.ts'
import { exampleApi, exampleVersion } from '../support/examples.ts'
import {
  embeddedConnection,
  eventually,
  it,
  leaks,
  type Place,
  postmaster,
  type Started,
  signedIn,
} from '../support/process.ts'

// More of them for a longer look by hand.
const kills = Number(process.env.TEST_KILLS ?? 3)
const timeout = 60_000 + kills * 20_000
const password = 'a password that was configured'
const settings = { ADMIN_PASSWORD: password, DATABASE_POOL_SIZE: '20' }

afterAll(() => {
  expect(leaks()).toEqual([])
})

interface Catalogue {
  /** Where the service answers now. */
  url: string
  admin: Client
  /** A path to add versions to. */
  versions: string
  /** Name and id of every version that a client was told is there. */
  told: Map<string, string>
  /** How often a request had to be sent again, by why. */
  again: Map<string, number>
  stopped: boolean
}

async function newCatalogue(url: string): Promise<Catalogue> {
  const admin = await signedIn(url, password)
  const added = await admin.post('/api/apis', exampleApi())
  expect(added.status).toBe(200)
  const versions = `/api/apis/${added.json.APIID}/versions`
  return { url, admin, versions, told: new Map(), again: new Map(), stopped: false }
}

/** Sixteen clients that add versions, to one API and with APIs of their own, and repeat what was not answered. */
function write(catalogue: Catalogue): Promise<unknown> {
  return Promise.all(
    Array.from({ length: 16 }, async (_, writer) => {
      for (let n = 1; !catalogue.stopped; n++) {
        const name = `version ${n} of writer ${writer}`
        const id = writer % 2 ? await addVersion(catalogue, name) : await addApi(catalogue, name)
        catalogue.told.set(name, id)
      }
    }),
  )
}

async function addVersion(catalogue: Catalogue, name: string): Promise<string> {
  const body = { ...exampleVersion(), Name: name, Description: name }
  return (await untilAnswered(catalogue, catalogue.versions, body, name)).json.APIVersionID
}

async function addApi(catalogue: Catalogue, name: string): Promise<string> {
  const body = { ...exampleApi(), Name: name, APIVersion: { ...exampleVersion(), Name: name, Description: name } }
  return (await untilAnswered(catalogue, '/api/apis', body, name)).json.LatestVersionID
}

async function untilAnswered(catalogue: Catalogue, path: string, body: unknown, name: string): Promise<Answer> {
  const key = { 'idempotency-key': name.replaceAll(' ', '-') }
  for (;;) {
    const answer = await clientNow(catalogue)
      .post(path, body, key)
      .catch((error) => error)
    if (answer.status === 200) return answer
    const why = String(answer.status ?? 'no answer')
    if (!['503', 'no answer'].includes(why)) throw new Error(`${why}: ${answer.text}`)
    catalogue.again.set(why, (catalogue.again.get(why) ?? 0) + 1)
    await sleep(50)
  }
}

/** The same cookies, whatever port the service has now. */
function clientNow({ url, admin }: Catalogue): Client {
  const client = createClient(url)
  for (const [name, value] of admin.cookies) client.cookies.set(name, value)
  return client
}

async function expectNothingLost(catalogue: Catalogue, data: string): Promise<void> {
  const client = clientNow(catalogue)
  const written = exampleVersion()
  for (const [name, id] of catalogue.told) {
    const { status, json } = await client.get(`/api/apis/versions/${id}`)
    expect(status).toBe(200)
    expect(json).toMatchObject({ APIVersionID: id, Name: name, Description: name })
    expect(json.Operations.Operation).toHaveLength(written.Operations.Operation.length)
    const api = await client.get(`/api/apis/${json.APIID}`)
    expect(api.status).toBe(200)
    expect((await client.get(`/api/apis/versions/${api.json.LatestVersionID}`)).json.APIID).toBe(json.APIID)
  }
  expect(await inconsistencies(data)).toEqual({ versionless: 0, strange: 0, twice: 0, open: 0 })
}

async function inconsistencies(data: string): Promise<unknown> {
  const client = new pg.Client(await embeddedConnection(data))
  await client.connect()
  try {
    const { rows } = await client.query(`select
      (select count(*)::int from api where not exists (
        select from api_version v where v.id = api.latest_version_id and v.api_id = api.id)) as versionless,
      (select count(*)::int from api_version where doc->>'Name' is distinct from name) as strange,
      (select count(*)::int from (select from api_version where name like '% of writer %' group by name
        having count(*) > 1) as again) as twice,
      (select count(*)::int from idempotency_key where answer is null) as open`)
    return rows[0]
  } finally {
    await client.end()
  }
}

/** Until so many more versions have been acknowledged. */
function acknowledged(catalogue: Catalogue, more: number): Promise<void> {
  const enough = catalogue.told.size + more
  return eventually(async () => {
    if (catalogue.told.size < enough) throw new Error(`only ${catalogue.told.size} versions were acknowledged`)
  })
}

it(
  'loses nothing that it acknowledged, and adds nothing twice, when it is killed again and again',
  killTheService,
  timeout,
)

async function killTheService({ data, start }: Place): Promise<void> {
  let service: Started = start(settings)
  const catalogue = await newCatalogue(await service.url)
  const writing = write(catalogue)
  for (let kill = 1; kill <= kills; kill++) {
    await acknowledged(catalogue, 30)
    await service.end('SIGKILL')
    service = start(settings)
    catalogue.url = await service.url
  }
  await acknowledged(catalogue, 30)
  catalogue.stopped = true
  await writing
  await expectNothingLost(catalogue, data)
  expect(catalogue.again.get('no answer')).toBeGreaterThan(0)
  if (process.env.TEST_KILLS) console.info(`${kills} kills, ${catalogue.told.size} versions`, catalogue.again)
}

it('answers 503 while its PostgreSQL is dead, goes on by itself, and loses nothing', killTheDatabase, timeout)

async function killTheDatabase({ data, start }: Place): Promise<void> {
  const service = start(settings)
  const catalogue = await newCatalogue(await service.url)
  const writing = write(catalogue)
  for (let kill = 1; kill <= Math.ceil(kills / 2); kill++) {
    await acknowledged(catalogue, 30)
    process.kill((await postmaster(data)) as number, 'SIGKILL')
    await eventually(async () => expect((await catalogue.admin.get('/readyz')).status).toBe(503))
    expect((await catalogue.admin.get('/livez')).status).toBe(200)
    await eventually(async () => expect((await catalogue.admin.get('/readyz')).status).toBe(200))
  }
  await acknowledged(catalogue, 30)
  catalogue.stopped = true
  await writing
  await expectNothingLost(catalogue, data)
  expect([...catalogue.again.keys()]).toEqual(['503'])
  if (process.env.TEST_KILLS) console.info(`${kills} kills, ${catalogue.told.size} versions`, catalogue.again)
  expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
}

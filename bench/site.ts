import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { adminEmail, type Headers, readEtag, send, signIn } from './client.ts'
import type { Cluster } from './cluster.ts'
import { findFarPage } from './far-page.ts'
import { addPeople, type Sample, seed, takeSample } from './seed.ts'
import { adminPassword, type Server, startFloor, startService } from './servers.ts'
import { project, type Size, sizes } from './settings.ts'

/** A database of one size with both servers over it. */
export interface Site {
  size: Size
  service: Server
  floor: Server
  database: Client
  sample: Sample
  /** Of the caller, who is signed in to the service; the floor gets them too and does not look. */
  headers: Headers
  /** E-mail addresses of users who have the Site Admin's password. */
  people: string[]
  /** The path of a page of the list of APIs, far behind. */
  farPage: string
  /** Of the sampled versions as JSON, which nobody has changed. */
  etag: string
}

export const example = (name: string) => readFileSync(join(project, 'examples', name), 'utf8')

/** The example on both sides of the name of its version. */
export function around(file: string, name: RegExp): [string, string] {
  const [before, after, ...more] = example(file).split(name)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`examples/${file} has no one name`)
  return [before, after]
}

/** Makes and fills a database of the size and starts both servers over it; `ends` gets what must be stopped at the end. */
export async function prepareSite(cluster: Cluster, size: Size, ends: (() => Promise<void>)[]): Promise<Site> {
  const { versions } = sizes[size]
  process.stdout.write(`storing ${versions} versions ... `)
  const began = performance.now()
  const name = `bench_${size}`
  await cluster.createDatabase(name)
  const service = await startService({ DATABASE_URL: cluster.url(name) })
  ends.push(service.stop)
  const headers = await signIn(service.url, adminPassword)

  const database = await cluster.connect(name)
  database.on('error', () => {})
  ends.push(() => database.end())
  const api = await addThroughService(service.url, headers)
  await seed(database, api, versions)
  const sample = await takeSample(database)
  const people = await addPeople(database, adminEmail)

  const farPage = await findFarPage(service.url, headers)
  const [version = ''] = sample.versions
  const etag = await readEtag(service.url, `/api/apis/versions/${version}.platform`, headers)
  const domains = await send(service.url, { path: '/api/login/domains' })
  const status = JSON.parse(await send(service.url, { path: '/api/login/status', headers }))
  const user = status.userFDN.split('.')[0]
  const floor = await startFloor(cluster.url(name), { user, domains })
  ends.push(floor.stop)
  process.stdout.write(`${((performance.now() - began) / 1000).toFixed(1)} s\n`)
  return { size, service, floor, database, sample, headers, people, farPage, etag }
}

/** Signs the caller in anew: the tokens of the last time may be at their end. */
export async function signInAgain(site: Site): Promise<void> {
  site.headers = await signIn(site.service.url, adminPassword)
}

export async function stopSite({ service, floor, database }: Site): Promise<void> {
  await service.stop()
  await floor.stop()
  await database.end()
}

/** Adds an API with three versions of ten operations the way clients do. @returns its stored id. */
async function addThroughService(url: string, headers: Headers): Promise<string> {
  const version = JSON.parse(example('version.json'))
  const api = { ...JSON.parse(example('api.json')), APIVersion: { ...version, Name: '1.0' } }
  const post = (path: string, body: unknown) =>
    send(url, {
      method: 'POST',
      path,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const { APIID } = JSON.parse(await post('/api/apis', api))
  for (const Name of ['1.1', '2.0']) await post(`/api/apis/${APIID}/versions`, { ...version, Name })
  return APIID.split('.')[0]
}

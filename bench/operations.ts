import type { Load } from './load.ts'
import { example, type Site } from './site.ts'

/** One row of the table: the same requests go to the service and to the floor. */
export interface Operation {
  name: string
  /** The least share of the floor's requests per second that the service is meant to reach. */
  least: number
  adds: boolean
  load: (site: Site) => Load
}

/** Versions that the load adds have names that start so. */
export const addedPrefix = 'added-'

let added = 0
const newName = () => `${addedPrefix}${String(++added).padStart(7, '0')}`

const read = (name: string, least: number, format: string): Operation => ({
  name,
  least,
  adds: false,
  load: ({ sample, headers }) => ({
    method: 'GET',
    paths: sample.versions.map((id) => `/api/apis/versions/${id}.platform`),
    headers: { ...headers, accept: format },
  }),
})

const add = (name: string, least: number, format: string, [before, after]: [string, string]): Operation => ({
  name,
  least,
  adds: true,
  load: ({ sample, headers }) => ({
    method: 'POST',
    paths: sample.apis.map((id) => `/api/apis/${id}.platform/versions`),
    headers: { ...headers, accept: format, 'content-type': format },
    body: () => before + newName() + after,
  }),
})

const get = (name: string, least: number, path: string): Operation => ({
  name,
  least,
  adds: false,
  load: ({ headers }) => ({ method: 'GET', paths: [path], headers }),
})

/** The example around the name of its version. */
function around(file: string, name: RegExp): [string, string] {
  const [before, after, ...more] = example(file).split(name)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`examples/${file} has no one name`)
  return [before, after]
}

export const operations: Operation[] = [
  read('read a version as JSON', 0.75, 'application/json'),
  read('read a version as XML', 0.75, 'application/xml'),
  add('add a version, JSON', 0.7, 'application/json', around('version.json', /(?<=^ {2}"Name": ")1\.0(?=")/m)),
  add('add a version, XML', 0.6, 'application/xml', around('version.xml', /(?<=^ {2}<Name>)1\.0(?=<)/m)),
  get('list login domains', 0.5, '/api/login/domains'),
  get('GET /api/login/status', 0.7, '/api/login/status'),
]

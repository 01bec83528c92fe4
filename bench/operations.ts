import { exportAs, list, page, readDeprecated, readUnchanged, search, update } from './catalogue-operations.ts'
import type { Operation } from './operation.ts'
import { removeAdded } from './seed.ts'
import { readWhileOthersSignIn, signInOperations } from './sign-in-operations.ts'
import { around } from './site.ts'
import { putWorkflow, removeWorkflow } from './workflow.ts'

/** Versions that the load adds have names that start so. */
const addedPrefix = 'added-'

let added = 0
const newName = () => `${addedPrefix}${String(++added).padStart(7, '0')}`

const read = (name: string, least: number, format: string): Operation => ({
  name,
  least,
  load: ({ sample, headers }) => ({
    method: 'GET',
    paths: sample.versions.map((id) => `/api/apis/versions/${id}.platform`),
    headers: { ...headers, accept: format },
  }),
})

const add = (name: string, least: number, format: string, [before, after]: [string, string]): Operation => ({
  name,
  least,
  tidy: ({ database, sample }) => removeAdded(database, sample.apis, addedPrefix),
  load: ({ sample, headers }) => ({
    method: 'POST',
    paths: sample.apis.map((id) => `/api/apis/${id}.platform/versions`),
    headers: { ...headers, accept: format, 'content-type': format },
    body: () => before + newName() + after,
  }),
})

const addJson = add(
  'add a version, JSON',
  0.7,
  'application/json',
  around('version.json', /(?<=^ {2}"Name": ")1\.0(?=")/m),
)

/** The same with a workflow in place, which has versions begin where they do without one. */
const addInWorkflow: Operation = {
  ...addJson,
  name: 'add, with a workflow / without',
  least: 0.9,
  comparedWith: addJson.load,
  prepare: putWorkflow,
  tidy: async (site) => {
    await addJson.tidy?.(site)
    await removeWorkflow(site)
  },
}

const get = (name: string, least: number, path: string): Operation => ({
  name,
  least,
  load: ({ headers }) => ({ method: 'GET', paths: [path], headers }),
})

const readJson = read('read a version as JSON', 0.75, 'application/json')

export const operations: Operation[] = [
  readJson,
  read('read a version as XML', 0.75, 'application/xml'),
  { name: 'read, its ETag known / not', least: 1.2, load: readUnchanged, comparedWith: readJson.load },
  { name: 'read, deprecated / not', least: 0.95, load: readDeprecated, comparedWith: readJson.load },
  addJson,
  addInWorkflow,
  add('add a version, XML', 0.6, 'application/xml', around('version.xml', /(?<=^ {2}<Name>)1\.0(?=<)/m)),
  get('list login domains', 0.5, '/api/login/domains'),
  get('GET /api/login/status', 0.7, '/api/login/status'),
  { name: 'list 20 APIs', least: 0.6, leastGrowth: 0.9, load: list },
  { name: 'list 20 far on / the first', least: 0.9, only: 'large', load: page, comparedWith: list },
  { name: 'search two words', least: 0.6, only: 'large', mostSpread: 10, load: search },
  { name: 'Swagger 1.1 / read as JSON', least: 0.6, load: exportAs('swagger/all'), comparedWith: readJson.load },
  { name: 'OpenAPI 3.1 / read as JSON', least: 0.6, load: exportAs('definition/oas31'), comparedWith: readJson.load },
  update(0.7),
  ...signInOperations,
  readWhileOthersSignIn(readJson.load),
]

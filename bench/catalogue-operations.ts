import type { Load } from './load.ts'
import type { Operation } from './operation.ts'
import { example, type Site } from './site.ts'

const json = 'application/json'

const getFrom =
  (paths: (site: Site) => string[]) =>
  (site: Site): Load => ({ method: 'GET', paths: paths(site), headers: { ...site.headers, accept: json } })

/** The first page of the list of APIs. */
export const list = getFrom(() => ['/api/apis'])

/** A page of the same list far behind, by its cursor. */
export const page = getFrom(({ farPage }) => [farPage])

/** Two words of the name of some API, which others have in common with it. */
export const search = getFrom(({ sample }) => sample.names.map((name) => `/api/search?q=${lastWords(name)}`))

const lastWords = (name: string) => name.split(' ').slice(-2).join('%20')

/** A description of each version; none is stored anywhere. */
export const exportAs = (description: string) =>
  getFrom(({ sample }) => sample.versions.map((id) => `/api/apis/versions/${id}.platform/${description}`))

/** Versions that the client has already. */
export function readUnchanged(site: Site): Load {
  const paths = site.sample.versions.map((id) => `/api/apis/versions/${id}.platform`)
  const headers = { ...site.headers, accept: json, 'if-none-match': site.etag }
  return { method: 'GET', paths, headers, status: 304 }
}

/** Deprecated versions, of which the answer says so and the read is counted. */
export const readDeprecated = getFrom(({ sample }) =>
  sample.deprecated.map((id) => `/api/apis/versions/${id}.platform`),
)

let changes = 0

/** An API with its latest version, all but their names, where one text is another one each time. */
export function update(least: number): Operation {
  const { Name: _api, APIVersion: _first, ...api } = JSON.parse(example('api.json'))
  const { Name: _version, ...version } = JSON.parse(example('version.json'))
  const body = () => {
    const Description = `${version.Description} added-${String(++changes).padStart(7, '0')}`
    return JSON.stringify({ ...api, APIVersion: { ...version, Description } })
  }
  return {
    name: 'update an API with its version',
    least,
    tidy: async ({ database }) => {
      await database.query('vacuum api, api_version, version_history')
    },
    load: ({ sample, headers }) => ({
      method: 'PUT',
      paths: sample.apis.map((id) => `/api/apis/${id}.platform`),
      headers: { ...headers, accept: json, 'content-type': json },
      body,
    }),
  }
}

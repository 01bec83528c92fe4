import type { Answer, Client } from './client.ts'
import { addApi } from './lists.ts'

/** Two versions of an API, the newer one the latest, by their ids. */
export interface TwoVersions {
  apiId: string
  groupId: string
  older: string
  newer: string
}

let apis = 0

/** Adds an API with two versions. */
export async function addTwoVersions(client: Client, api = {}, older = {}, newer = {}): Promise<TwoVersions> {
  const added = await addApi(client, { Name: `API ${++apis}`, ...api }, older)
  const { APIID: apiId, AdminGroupID: groupId, LatestVersionID } = added
  const { json } = await client.post(`/api/apis/${apiId}/versions`, { Name: '2.0', ...newer })
  return { apiId, groupId, older: LatestVersionID, newer: json.APIVersionID }
}

export function deprecationOf(versionId: string): string {
  return `/api/apis/versions/${versionId}/deprecation`
}

/** Makes a version deprecated; the answer may be a refusal. */
export function deprecate(client: Client, versionId: string, body: unknown = {}, headers = {}): Promise<Answer> {
  return client.send('PUT', deprecationOf(versionId), { body, headers })
}

/** What an answer's headers say of deprecation. */
export function said({ headers }: Answer) {
  return { deprecation: headers.deprecation, sunset: headers.sunset, link: headers.link }
}

/** The headers of a read of the version itself. */
export function headersOf(versionId: string, deprecated: string, sunset?: string, successor?: string) {
  const links = [
    `<${deprecationOf(versionId)}>; rel="deprecation"; type="application/json"`,
    ...(successor ? [`</api/apis/versions/${successor}>; rel="successor-version"`] : []),
  ]
  return {
    deprecation: `@${Date.parse(deprecated) / 1000}`,
    sunset: sunset && new Date(sunset).toUTCString(),
    link: links.join(', '),
  }
}

import type { Static } from 'typebox'
import { wireId } from '../ids.ts'
import { channel, itemOf } from '../lists/channel.ts'
import type { Vendor } from '../vendor.ts'
import type { VersionChannel } from './list-schemas.ts'
import type { ListedVersion } from './listed.ts'

/** Versions as the items of a channel; each refers to its API. */
export function versionChannel(
  versions: readonly ListedVersion[],
  address: string,
  vendor: Vendor,
): Static<typeof VersionChannel> {
  const item = itemOf('apiversion', `${address}/api/apis/versions`, vendor)
  return channel(
    'API versions',
    versions.map((version) => {
      const api = { Title: version.apiName, Guid: wireId(vendor, version.apiId), Category: [] }
      return Object.assign(item(version), {
        EntityReferences: { EntityReference: [api] },
        Endpoints: version.endpoints,
      })
    }),
  )
}

/** Versions as a plain JSON array of their documents. */
export function versionDocuments(versions: readonly { doc: string }[]): string {
  return `[${versions.map(({ doc }) => doc).join()}]`
}

import type { Static } from 'typebox'
import { wireId } from '../ids.ts'
import { channel, itemOf } from '../lists/channel.ts'
import type { Vendor } from '../vendor.ts'
import type { ApiChannel } from './list-schemas.ts'
import type { ListedApi } from './listed.ts'

/** APIs as the items of a channel. A newer version that lists do not show the caller is not hinted at. */
export function apiChannel(
  title: string,
  apis: readonly ListedApi[],
  address: string,
  vendor: Vendor,
): Static<typeof ApiChannel> {
  const item = itemOf('api', `${address}/api/apis`, vendor)
  return channel(
    title,
    apis.map((api) => {
      if (api.latestId === null) return item(api)
      const EntityReference = { Title: `${api.name} (${api.latestName})`, Guid: wireId(vendor, api.latestId) }
      return Object.assign(item(api), { EntityReference })
    }),
  )
}

import type { Static } from 'typebox'
import { channel } from '../lists/channel.ts'
import type { Vendor } from '../vendor.ts'
import type { PolicyChannel } from './schemas.ts'
import type { PolicyRow } from './store.ts'

/** Policies as the items of a channel. */
export function policyChannel(policies: readonly PolicyRow[], vendor: Vendor): Static<typeof PolicyChannel> {
  return channel(
    'Policies',
    policies.map(({ id, type, name, description, created }) => ({
      title: name,
      description,
      category: [
        { value: 'policy', domain: `${vendor.categoryPrefix}:resourcetype` },
        { value: type, domain: `${vendor.categoryPrefix}:policytype` },
      ],
      guid: { value: policyKey(id) },
      pubDate: created.toUTCString(),
      PolicyKey: policyKey(id),
      PolicyType: type,
    })),
  )
}

function policyKey(id: string): string {
  return `urn:uuid:${id}`
}

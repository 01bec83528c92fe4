import { type Static, type TProperties, Type } from 'typebox'
import type { StoredVisibility } from '../database/tables.ts'
import { wireId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import { wireVisibility } from '../visibility.ts'

export const Category = Type.Object({ value: Type.String(), domain: Type.String() }, { title: 'Category' })

const itemMembers = {
  title: Type.String(),
  description: Type.String(),
  category: Type.Array(Category),
  guid: Type.Object({ value: Type.String() }),
  pubDate: Type.String(),
  link: Type.String(),
}
const Item = Type.Object(itemMembers)

/** The schema of a list as a channel; `members` are what its items have beside those of every item. */
export function channelSchema<Members extends TProperties>(title: string, members: Members) {
  const item = Type.Array(Type.Object({ ...itemMembers, ...members }))
  return Type.Object(
    { channel: Type.Object({ title: Type.String(), item }), version: Type.String() },
    { title, xml: { name: 'rss' } },
  )
}

export function channel<Item>(
  title: string,
  item: Item[],
): { channel: { title: string; item: Item[] }; version: string } {
  return { channel: { title, item }, version: '1.0' }
}

/** What an item says of a thing. */
export interface Facts {
  id: string
  name: string
  description: string | null
  visibility: StoredVisibility
  /** Null where there is none that the caller may know. */
  state: string | null
  created: Date
}

/** The members that every item has; `path` is where the thing is read. */
export function item(
  { id, name, description, visibility, state, created }: Facts,
  kind: 'api' | 'apiversion',
  address: string,
  vendor: Vendor,
): Static<typeof Item> {
  const category = (name: string, value: string) => ({ value, domain: `${vendor.categoryPrefix}:${name}` })
  return {
    title: name,
    description: description ?? '',
    category: [
      category('visibility', wireVisibility(vendor, visibility)),
      category('resourcetype', kind),
      ...(state === null ? [] : [category('state', state)]),
    ],
    guid: { value: wireId(vendor, id) },
    pubDate: created.toUTCString(),
    link: `${address}/${wireId(vendor, id)}`,
  }
}

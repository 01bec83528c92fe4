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

/**
 * What makes the members that every item of a list has; things are read below `address`. Others are assigned to what it
 * makes: Node 20 takes a microsecond for each copy that gets members beside.
 */
export function itemOf(
  kind: 'api' | 'apiversion',
  address: string,
  vendor: Vendor,
): (facts: Facts) => Static<typeof Item> {
  const domain = (name: string) => `${vendor.categoryPrefix}:${name}`
  const [ofVisibility, ofState] = [domain('visibility'), domain('state')]
  const resourceType = { value: kind, domain: domain('resourcetype') }
  return ({ id, name, description, visibility, state, created }) => {
    const value = wireId(vendor, id)
    const category = [{ value: wireVisibility(vendor, visibility), domain: ofVisibility }, resourceType]
    if (state !== null) category.push({ value: state, domain: ofState })
    return {
      title: name,
      description: description ?? '',
      category,
      guid: { value },
      pubDate: created.toUTCString(),
      link: `${address}/${value}`,
    }
  }
}

import { Type } from 'typebox'
import type { StoredVisibility } from '../database/tables.ts'
import { Malformed } from '../fault.ts'
import { Text } from '../representation/formats.ts'
import type { Vendor } from '../vendor.ts'
import { wireVisibility } from '../visibility.ts'
import { audiences } from './readers.ts'
import { type Sort, sortKeys } from './sort.ts'

const mostRows = 100
const usualRows = 20
const lastStart = 10_000

/** The query parameters by which every list is paged. */
export const placeParameters = {
  start: Type.Optional(Type.Integer()),
  count: Type.Optional(Type.Integer()),
  cursor: Type.Optional(Text(8000)),
}

/** The query parameters by which a list is sorted and paged. */
export const pageParameters = {
  sort: Type.Optional(Text(100)),
  order: Type.Optional(Text(100)),
  ...placeParameters,
}

/** The query parameters that narrow a list. */
export const filterParameters = {
  name: Type.Optional(Text(255)),
  tag: Type.Optional(Text(255)),
  visibility: Type.Optional(Text(255)),
  state: Type.Optional(Text(255)),
}

/** The query parameter that narrows a list to what a user administers. */
export const adminParameter = { admin: Type.Optional(Text(255)) }

/** The fault for a query parameter that is not valid where the schema alone could not tell. */
export function invalidParameter(name: string, message: string): Malformed {
  const pointer = `/${name}`
  return new Malformed(`The query is not valid: ${pointer} ${message}.`, [{ pointer, message }])
}

interface SortParameters {
  sort?: string
  order?: string
}

export const newestFirst: Sort = { by: 'created', descending: true }

/**
 * The sort that is asked for, newest first if none is; names run from a to z and times from the newest unless `order` says otherwise.
 * @throws Malformed
 */
export function readSort({ sort, order }: SortParameters, otherSorts: readonly string[] = []): Sort {
  const by = sortKeys.find((key) => key === (sort || newestFirst.by))
  if (!by) throw invalidParameter('sort', `must be one of ${[...otherSorts, ...sortKeys].join(', ')}`)
  if (order && order !== 'asc' && order !== 'desc') throw invalidParameter('order', 'must be asc or desc')
  return { by, descending: order ? order === 'desc' : by !== 'name' }
}

/** @throws Malformed for a visibility that is none of the known ones. */
export function readVisibility(word: string | undefined, vendor: Vendor): StoredVisibility | null {
  if (!word) return null
  const known = audiences.find((each) => wireVisibility(vendor, each) === word)
  if (known) return known
  const words = audiences.map((each) => wireVisibility(vendor, each))
  throw invalidParameter('visibility', `must be one of ${words.join(', ')}`)
}

/** @throws Malformed for a number out of its bounds. */
export function readBounds({ start = 0, count = usualRows }: { start?: number; count?: number }) {
  if (start < 0 || start > lastStart) {
    throw invalidParameter('start', `must be from 0 to ${lastStart}; go on from there by the cursor in the Link header`)
  }
  if (count < 1 || count > mostRows) throw invalidParameter('count', `must be from 1 to ${mostRows}`)
  return { start, count }
}

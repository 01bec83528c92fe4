import { Type } from 'typebox'
import type { StoredVisibility } from '../database/tables.ts'
import { Malformed } from '../fault.ts'
import { about, Text } from '../representation/formats.ts'
import type { Trait } from '../traits.ts'
import type { Vendor } from '../vendor.ts'
import { visibilityOf } from '../visibility.ts'
import { type Sort, sortKeys } from './sort.ts'

export const mostRows = 100
export const usualRows = 20

/** The query parameters by which every list is paged. */
export const placeParameters = {
  start: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'How many rows to leave out; further on, the cursor leads.',
    }),
  ),
  count: Type.Optional(
    Type.Integer({ minimum: 1, maximum: mostRows, default: usualRows, description: 'How many rows a page has.' }),
  ),
  cursor: Type.Optional(about('Where the page begins, from the Link header of the page before.', Text(8000))),
}

/** The query parameter for what a list is sorted by; `sorts` are those that it has, the usual one first. */
export function sortParameter(sorts: readonly string[]) {
  return Type.Optional(
    about(`What the list is sorted by: ${sorts.join(', ')}; ${sorts[0]} unless said otherwise.`, Text(100)),
  )
}

/** The query parameters by which a list is sorted and paged. */
export const pageParameters = {
  sort: sortParameter(sortKeys),
  order: Type.Optional(
    about('asc or desc; names run from a to z and times from the newest unless it says otherwise.', Text(100)),
  ),
  ...placeParameters,
}

/** A list that is given page by page. */
export const paged: Trait = { answerHeaders: { Link: 'The next page, with rel="next"; absent on the last one.' } }

/** The query parameters that narrow a list. */
export const filterParameters = {
  name: Type.Optional(about('The beginning of the name, in any case.', Text(255))),
  tag: Type.Optional(about('A tag, in any case.', Text(255))),
  visibility: Type.Optional(about('A Visibility.', Text(255))),
  state: Type.Optional(about('A State: of versions, or of the latest version of an API.', Text(255))),
  admin: Type.Optional(
    about('Id of a user: only what they administer as members of a group. Their own, or for a Site Admin.', Text(255)),
  ),
}

/** A list that `admin` may narrow, without an id in its path. */
export const narrowedToUser: Trait = { statuses: { 404: 'There is no such user as admin names.' } }

/** The fault for a query parameter that is not valid where the schema alone could not tell. */
export function invalidParameter(name: string, message: string): Malformed {
  const pointer = `/${name}`
  return new Malformed(`The query is not valid: ${pointer} ${message}.`, [{ pointer, message }])
}

/** The query parameters that `readSort` reads. */
export interface SortParameters {
  sort?: string
  order?: string
}

export const newestFirst: Sort = { by: 'created', descending: true }

/**
 * The sort that is asked for, newest first if none is; names run from a to z and times from the newest unless `order` says
 * otherwise.
 * @throws Malformed, which names `sorts`
 */
export function readSort({ sort, order }: SortParameters, sorts: readonly string[] = sortKeys): Sort {
  const by = sortKeys.find((key) => key === (sort || newestFirst.by))
  if (!by) throw invalidParameter('sort', `must be one of ${sorts.join(', ')}`)
  if (order && order !== 'asc' && order !== 'desc') throw invalidParameter('order', 'must be asc or desc')
  return { by, descending: order ? order === 'desc' : by !== 'name' }
}

/** @throws Malformed for a visibility that is none of the known ones. */
export function readVisibility(word: string | undefined, vendor: Vendor): StoredVisibility | null {
  return word ? visibilityOf(vendor, word, (message) => invalidParameter('visibility', message)) : null
}

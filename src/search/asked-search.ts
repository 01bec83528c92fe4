import { type Caller, readerOf } from '../access/caller.ts'
import type { ListedApi } from '../apis/listed.ts'
import type { Database } from '../database/tables.ts'
import type { ReadPart } from '../lists/page.ts'
import { invalidParameter, newestFirst, readSort, type SortParameters } from '../lists/parameters.ts'
import { listReader } from '../lists/readers.ts'
import { type Sort, sortKeys } from '../lists/sort.ts'
import { readSought } from './query.ts'
import { readByRelevance, readFound } from './sections.ts'

const relevance = 'relevance'

/** What a search may be sorted by, the usual one first. */
export const sorts = [relevance, ...sortKeys]

/** The search that a request asks for: how the APIs are sorted, and what they are read in. */
export interface AskedSearch {
  sort: Sort
  sections: ReadPart<ListedApi>[]
}

interface SearchRequest {
  query: SortParameters & { q: string }
  caller: Caller | null
}

/** @throws Malformed */
export async function askedSearch(db: Database, { query, caller }: SearchRequest): Promise<AskedSearch> {
  const isByRelevance = (query.sort || relevance) === relevance
  if (isByRelevance && query.order) throw invalidParameter('order', `goes with another sort than ${relevance}`)
  const sort = isByRelevance ? newestFirst : readSort(query, sorts)
  const sought = readSought(query.q)
  if (!sought) return { sort, sections: [] }
  const reader = await listReader(db, readerOf(caller))
  const reads = isByRelevance ? readByRelevance : [readFound]
  return { sort, sections: reads.map((read) => (place) => read(db, sort, reader, sought, place)) }
}

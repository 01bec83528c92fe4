import { type Caller, readerOf } from '../access/caller.ts'
import { type FilterParameters, type Filters, readFilters } from '../lists/filters.ts'
import { readSort, readVisibility, type SortParameters } from '../lists/parameters.ts'
import { type ListReader, listReader } from '../lists/readers.ts'
import type { Sort } from '../lists/sort.ts'
import type { Services } from '../services.ts'
import { checkStateParameter } from '../workflow/current.ts'
import { administratorOf } from './administered.ts'

/** The list of APIs or versions that a request asks for, and who reads it. */
export interface AskedList {
  sort: Sort
  filters: Filters
  reader: ListReader
}

interface ListRequest {
  query: SortParameters & FilterParameters & { visibility?: string; admin?: string }
  caller: Caller | null
}

/** @throws Malformed, Unauthorized, NotFound */
export async function askedList({ db, vendor }: Services, { query, caller }: ListRequest): Promise<AskedList> {
  const sort = readSort(query)
  const visibility = readVisibility(query.visibility, vendor)
  await checkStateParameter(db, vendor, caller, query.state)
  const who = query.admin ? await administratorOf(db, caller, query.admin, vendor) : readerOf(caller)
  return { sort, filters: readFilters(query), reader: await listReader(db, who, visibility) }
}

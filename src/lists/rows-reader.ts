import type { Database } from '../database/tables.ts'
import type { PagePlan } from './fragments.ts'
import type { Condition, ListedTable, PageValues, PlaceValues } from './listed.ts'
import type { Part } from './page.ts'
import { type PageStatements, pageStatements } from './page-statement.ts'
import { mostRows, usualRows } from './parameters.ts'
import { kindsFor, type ListReader } from './readers.ts'
import type { Sort } from './sort.ts'

type ReadRows<Row, Values> = (
  db: Database,
  sort: Sort,
  reader: ListReader,
  values: Values,
  place: PlaceValues,
) => Promise<Part<Row>>

/**
 * Makes the reader of a list. What a page costs does not grow with the table: each source gives its rows in the list's
 * order, by an index, and no more than are needed. Rows that a selective condition finds are sorted when they are few; when
 * they are many the list is walked, which meets them soon, or ends after a stretch for the client to go on.
 */
export function rowsReader<Row, Values>(table: ListedTable, condition: Condition<Values>): ReadRows<Row, Values> {
  const statements = new Map<string, PageStatements<Row, PageValues & Values>>()

  return async (db, sort, reader, values, place) => {
    const found = await condition.selective?.find(db, reader, values)
    if (found?.ids?.length === 0 && found.membersOnlyIds?.length === 0) return { rows: [], found: 0 }
    // A list with a source of its own needs no others.
    const kinds = condition.source ? [] : kindsFor(reader, table.name)
    const areMembersOnlySought = !condition.source && !found?.membersOnlyIds && reader.groups.length > 0
    const areMembersOnlyWalked = areMembersOnlySought && reader.isInManyGroups
    const plan: PagePlan = {
      isDeep: place.skip > 0,
      enough: (place.count <= usualRows ? usualRows : mostRows) + 1,
      isBounded: found !== undefined && (!found.ids || !found.membersOnlyIds),
      walked: kinds.filter(({ membersOnly }) => areMembersOnlyWalked || (!membersOnly && !found?.ids)),
      isFromGroups: areMembersOnlySought && !areMembersOnlyWalked,
    }

    const key = statementKey(sort, plan)
    const read = statements.get(key) ?? pageStatements<Row, Values>(table, sort, condition, plan)
    statements.set(key, read)
    const page = {
      fromGroups: reader.groups,
      ids: found?.ids ?? [],
      membersOnlyIds: found?.membersOnlyIds ?? [],
      reachedKey: '',
      reachedId: '',
      ...reader,
      ...values,
      ...place,
    }
    const { skip, count } = place
    const [end] = plan.isBounded ? await read.reached(db, page) : []
    const bounded = end ? { ...page, reachedKey: end.key, reachedId: end.id } : page
    const rows = await read.rows(db, bounded)
    const [skipped] = rows.length === 0 && skip > 0 ? await read.skipped(db, bounded) : []
    return {
      rows: rows.slice(0, count),
      found: skipped?.found ?? skip + (rows[0]?.sought ?? rows.length),
      reached: end && !end.isEnd ? { ...end, isHidden: true } : undefined,
    }
  }
}

function statementKey({ by, descending }: Sort, { isDeep, enough, isBounded, walked, isFromGroups }: PagePlan): string {
  const kinds = walked.map(({ audience, visibility, membersOnly }) => `${audience} ${visibility} ${membersOnly}`)
  return [by, descending, isDeep, enough, isBounded, isFromGroups, ...kinds].join()
}

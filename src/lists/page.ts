import type { Position } from './cursor.ts'
import type { PlaceValues } from './listed.ts'
import type { PageRow } from './page-statement.ts'
import type { Place } from './sort.ts'

/** Reads the rows of a list, or of one of its sections, from a place on. */
export type ReadRows<Row> = (place: PlaceValues) => Promise<(PageRow & Row)[]>

export interface Page<Row> {
  rows: Row[]
  /** Where the next page begins; undefined when there is none. */
  next: Position | undefined
}

/**
 * Reads one page from the sections of a list, which follow each other and each begin at `start`. It may hold fewer rows
 * than `count` though others follow: when those asked for are far away, or very long.
 */
export async function readPage<Row>(
  sections: readonly ReadRows<Row>[],
  start: Place,
  position: Position,
  count: number,
): Promise<Page<Row>> {
  const rows: Row[] = []
  let { section, place, skip } = position
  for (; section < sections.length; section++, place = start) {
    const read = sections[section] as ReadRows<Row>
    const answer = await read({ ...place, skip, count: count - rows.length })
    const here = answer.filter(({ id }) => id !== null)
    const { found, reachedKey, reachedId } = answer[0] as PageRow
    rows.push(...here)
    if (found > skip + here.length) {
      const last = here.at(-1)
      return { rows, next: last ? { section, place: placeOf(last), skip: 0 } : { section, place, skip } }
    }
    skip = Math.max(0, skip - found)
    if (reachedKey !== null && reachedId !== null) {
      return { rows, next: { section, place: { key: reachedKey, id: reachedId }, skip } }
    }
  }
  return { rows, next: undefined }
}

function placeOf({ place, id }: PageRow): Place {
  return { key: place, id: id as string }
}

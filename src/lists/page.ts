import type { Position } from './cursor.ts'
import type { PlaceValues } from './listed.ts'
import type { Place } from './sort.ts'

/** What every row of a list has; `place` is the key of its place, which a page's last row has if others follow. */
export interface Placed {
  id: string
  place: string | null
}

/** What a list, or one of its sections, has from a place on. */
export interface Part<Row> {
  rows: (Placed & Row)[]
  /** How many rows there were, of those skipped, those given and perhaps some more. */
  found: number
  /** Where looking ended, unless that is the end of the list. */
  reached?: Place | undefined
}

/** Reads a part of a list. */
export type ReadPart<Row> = (place: PlaceValues) => Promise<Part<Row>>

/** The part of a list with one section, from a query that skips rows and then looks for one more than `count`. */
export function partOf<Row>(rows: (Placed & Row)[], { skip, count }: PlaceValues): Part<Row> {
  return { rows: rows.slice(0, count), found: skip + rows.length }
}

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
  sections: readonly ReadPart<Row>[],
  start: Place,
  position: Position,
  count: number,
): Promise<Page<Row>> {
  const rows: (Placed & Row)[] = []
  let { section, place, skip } = position
  for (; section < sections.length; section++, place = start) {
    const read = sections[section] as ReadPart<Row>
    const { rows: here, found, reached } = await read({ ...place, skip, count: count - rows.length })
    rows.push(...here)
    if (found > skip + here.length) {
      const last = here.at(-1)
      return { rows, next: last ? { section, place: placeOf(last), skip: 0 } : { section, place, skip } }
    }
    skip = Math.max(0, skip - found)
    if (reached) return { rows, next: { section, place: reached, skip } }
  }
  return { rows, next: undefined }
}

function placeOf({ place, id }: Placed): Place {
  if (place === null) throw new Error('the last row of a page has no place')
  return { key: place, id }
}

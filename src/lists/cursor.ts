import type { KeyRing } from '../access/keys.ts'
import { invalidParameter } from './parameters.ts'
import type { Place } from './sort.ts'

/** Where a page begins. */
export interface Position {
  /** The section of the list, where it has several that follow each other. */
  section: number
  place: Place
  /** How many rows behind the place are left out. */
  skip: number
}

const purpose = 'cursor'

/** Writes a position as text that is good for the same list only; `list` is the path and filters that make it. */
export function writeCursor({ section, place, skip }: Position, list: string, keys: KeyRing): string {
  const position = JSON.stringify([section, place.key, place.id, skip])
  const told = place.isHidden ? JSON.stringify(keys.encrypt(purpose, position)) : position
  const text = Buffer.from(told).toString('base64url')
  return `${text}.${keys.sign(purpose, `${list}\n${text}`)}`
}

/** @throws Malformed unless this service wrote the cursor, for this list. */
export function readCursor(cursor: string, list: string, keys: KeyRing): Position {
  const [text = '', signature = '', ...more] = cursor.split('.')
  if (more.length > 0 || !keys.verify(purpose, `${list}\n${text}`, signature)) {
    throw invalidParameter('cursor', 'must be one that this list gave, with the same sort and filters')
  }
  const told = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  const isHidden = typeof told === 'string'
  const [section, key, id, skip] = isHidden ? JSON.parse(keys.decrypt(purpose, told) as string) : told
  return { section, place: { key, id, isHidden }, skip }
}

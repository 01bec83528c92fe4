import { asText, isText } from '../representation/formats.ts'
import { Unreadable } from './unreadable.ts'

/** Text for people: cut to the length that a version may hold, and without characters that XML cannot carry. */
export function shown(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text
  return asText(cut)
}

/**
 * Text that requests are made of: taken to the letter.
 * @throws Unreadable when a version cannot hold it.
 */
export function exact(text: string, most: number, pointer: string): string {
  if (text.length > most) throw new Unreadable(`is longer than ${most} characters`, pointer)
  if (!isText(text)) throw new Unreadable('holds a character that XML cannot carry', pointer)
  return text
}

import { isUtf8 } from 'node:buffer'
import { Unreadable } from './unreadable.ts'

const newline = 0x0a

/**
 * The text of a file, without a byte order mark.
 * @throws Unreadable when it is empty or not UTF-8, with the line.
 */
export function textOf(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new Unreadable('it is empty')
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new Unreadable('it is UTF-16 (line 1, column 1); it must be UTF-8')
  }
  if (!isUtf8(bytes)) throw new Unreadable(`it is not UTF-8 (line ${firstWrongLine(bytes)})`)
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') throw new Unreadable('it is empty')
  return text
}

/** No byte of a longer character is a line break, so each line can be looked at by itself. */
function firstWrongLine(bytes: Uint8Array): number {
  let line = 1
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(newline, start)
    const next = end < 0 ? bytes.length : end + 1
    if (!isUtf8(bytes.subarray(start, next))) break
    start = next
  }
  return line
}

// The form of iCalendar (RFC 5545, 3.1 and 3.3).

const longestLine = 75

/** Writes properties as content lines: no longer than 75 octets, folded between characters. */
export function contentLines(properties: readonly [name: string, value: string][]): string {
  return properties.map(([name, value]) => `${folded(`${name}:${value}`)}\r\n`).join('')
}

function folded(line: string): string {
  if (Buffer.byteLength(line) <= longestLine) return line
  let written = ''
  let length = 0
  for (const character of line) {
    const octets = Buffer.byteLength(character)
    if (length + octets > longestLine) {
      written += '\r\n '
      length = 1
    }
    written += character
    length += octets
  }
  return written
}

const controls = /(?![\t\n])\p{Cc}/gu

/** A value of the type TEXT. */
export function text(value: string): string {
  return value
    .replace(/\r\n?/g, '\n')
    .replace(controls, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
}

/** A time in UTC. */
export function dateTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}

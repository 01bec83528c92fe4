const distinguishedName = /^\s*[a-z][a-z0-9.-]*\s*=/i
const tokens = /(?:\\[0-9a-f]{2})+|\\.|\s*[,;+=]\s*|\s+|[^\\,;+=\s]+|\\$/gis
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * What is the same for all spellings of a name in a directory, be it of an attribute, of an entry (RFC 4514) or of a
 * group: case, spaces that do not count, and the way in which characters are escaped make no difference.
 */
export function comparable(name: string): string {
  const text = name.normalize('NFC')
  if (!distinguishedName.test(text)) return text.trim().replace(/\s+/g, ' ').toLowerCase()
  return text
    .replace(tokens, (token, at: number) => spelled(token, at, at + token.length === text.length))
    .toLowerCase()
}

function spelled(token: string, at: number, isLast: boolean): string {
  if (/^\\[0-9a-f]{2}/i.test(token)) return decoded(token)
  if (token.startsWith('\\')) return literally(token.slice(1))
  const separator = /[,;+=]/.exec(token)?.[0]
  if (separator) return separator === ';' ? ',' : separator
  if (/^\s/.test(token)) return at === 0 || isLast ? '' : ' '
  return token
}

function decoded(hex: string): string {
  try {
    return literally(decoder.decode(Buffer.from(hex.replaceAll('\\', ''), 'hex')).normalize('NFC'))
  } catch {
    return hex
  }
}

function literally(text: string): string {
  return text.replace(/[\\,;+=]/g, (character) => `\\${character}`)
}

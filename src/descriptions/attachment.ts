/** The Content-Disposition of a file of any name (RFC 6266, RFC 8187). */
export function attachment(name: string): string {
  // Hexadecimal escapes in a plain file name mean different things to different readers.
  const ascii = name.replace(/[^\x20-\x7e]|["\\/%]/gu, '_')
  if (ascii === name) return `attachment; filename="${name}"`
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

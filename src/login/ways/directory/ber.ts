const mostDepth = 10

/**
 * The length of the message that begins here, its head included; undefined while too little of it has come.
 * @throws Error for what is no message
 */
export function messageLength(bytes: Buffer): number | undefined {
  if (bytes.length > 0 && bytes[0] !== 0x30) throw new Error('The directory does not speak LDAP.')
  const head = readHead(bytes, 0, bytes.length)
  return head && head.start + head.length
}

/** Whether the lengths in a message agree: the client reads on for ever where they do not. */
export function isWellFormed(bytes: Buffer, from = 0, end = bytes.length, depth = 0): boolean {
  for (let at = from; at < end; ) {
    const head = readHead(bytes, at, end)
    if (!head || head.start + head.length > end || depth > mostDepth) return false
    const next = head.start + head.length
    const isConstructed = ((bytes[at] as number) & 0x20) !== 0
    if (isConstructed && !isWellFormed(bytes, head.start, next, depth + 1)) return false
    at = next
  }
  return true
}

function readHead(bytes: Buffer, at: number, end: number): { start: number; length: number } | undefined {
  if (at + 2 > end) return undefined
  const first = bytes[at + 1] as number
  if (first < 0x80) return { start: at + 2, length: first }
  const size = first & 0x7f
  if (size === 0 || size > 4) throw new Error('The directory does not speak LDAP.')
  if (at + 2 + size > end) return undefined
  return { start: at + 2 + size, length: bytes.readUIntBE(at + 2, size) }
}

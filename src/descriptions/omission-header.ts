import type { Omission } from './operations.ts'

// Proxies give the headers of an answer little room.
const room = 1500
const longestReason = 300

/** The list of omissions as the value of a header: JSON in ASCII, with the number of those that found no room. */
export function omissionHeader(omissions: readonly Omission[]): string {
  const items: string[] = []
  let length = 0
  for (const omission of omissions) {
    const reason = cut(omission.reason)
    // Writing each of a hundred thousand takes a while.
    if (length + reason.length > room) continue
    const item = ascii(JSON.stringify({ ...omission, reason }))
    if (length + item.length > room) continue
    items.push(item)
    length += item.length
  }
  const more = omissions.length - items.length
  if (more > 0) items.push(JSON.stringify({ reason: `and ${more} more` }))
  return `[${items.join(',')}]`
}

function cut(reason: string): string {
  return reason.length > longestReason ? `${reason.slice(0, longestReason)}...` : reason
}

function ascii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

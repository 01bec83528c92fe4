import { isText } from './formats.ts'

const deepest = 32
const mostValues = 10_000

/** Whether a member that is ignored holds what an answer could: text that XML can carry, and nothing without end. */
export function canBeIgnored(value: unknown): boolean {
  let values = 0

  function isShort(value: unknown, depth: number): boolean {
    if (++values > mostValues) return false
    if (typeof value === 'string') return isText(value)
    if (typeof value !== 'object' || value === null) return true
    if (depth === deepest || (Array.isArray(value) && value.length > mostValues)) return false
    return Object.entries(value).every(
      ([key, member]) => key !== '__proto__' && isText(key) && isShort(member, depth + 1),
    )
  }

  return isShort(value, 0)
}

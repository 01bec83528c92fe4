import { isText } from './formats.ts'

const deepest = 32

/** Whether a member that is ignored holds what an answer could: text that XML can carry, and nothing nested without end. */
export function canBeIgnored(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === deepest) return false
  return Object.entries(value).every(
    ([key, member]) => key !== '__proto__' && isText(key) && canBeIgnored(member, depth + 1),
  )
}

import { shown } from './texts.ts'

// Leaves room for a number behind it.
const longest = 245

/** A name for an operation that has none: `getPetsPetId` for GET /pets/{petId}. */
export function madeName(method: string, path: string): string {
  const words = path.match(/[\p{L}\p{Nd}]+/gu) ?? []
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/**
 * Makes the function that gives each operation a name of its own: its id, or else the made one, with a number behind it
 * where that is taken. `ids` are all ids of the document: what is made does not take one of them.
 */
export function operationNames(ids: readonly string[]): (id: string | undefined, made: string) => string {
  const reserved = new Set(ids.map((id) => shown(id, longest)))
  const used = new Set<string>()
  const counts = new Map<string, number>()
  return (id, made) => {
    const name = shown(id || made, longest)
    let unique = name
    let count = counts.get(name) ?? 1
    while (used.has(unique) || (reserved.has(unique) && !(id && unique === name))) unique = `${name}_${++count}`
    counts.set(name, count)
    used.add(unique)
    return unique
  }
}

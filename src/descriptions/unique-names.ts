/**
 * Makes the function that returns each name as it is the first time, and later with a number behind it that makes it
 * differ from all others. `all` are the names that are to come.
 */
export function uniqueNames(all: readonly string[]): (name: string) => string {
  const taken = new Set(all)
  const used = new Map<string, number>()
  return (name) => {
    let count = used.get(name) ?? 0
    let unique = name
    while (count > 0 && taken.has(unique)) unique = `${name}_${++count}`
    used.set(name, Math.max(count, 1))
    taken.add(unique)
    return unique
  }
}

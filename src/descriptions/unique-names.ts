/**
 * Makes the function that returns each name as it is the first time, and later with a number behind it that makes it
 * differ from all others. `all` are the names that are to come.
 */
export function uniqueNames(all: readonly string[]): (name: string) => string {
  const used = new Map<string, number>()
  let taken: Set<string> | undefined
  return (name) => {
    let count = used.get(name) ?? 0
    if (count === 0) {
      used.set(name, 1)
      return name
    }
    taken ??= new Set(all)
    let unique = name
    while (taken.has(unique)) unique = `${name}_${++count}`
    used.set(name, count)
    taken.add(unique)
    return unique
  }
}

import type { Told } from './told.ts'

const shape = (path: string) => path.replace(/\{[^{}]*\}/g, '{}')
const place = ({ method, path }: Told) => `${method} ${shape(path)}`

/** What a version does not hold as its document tells it. */
export function differences(original: Told[], version: Told[]): string[] {
  const found = new Map(version.map((each) => [`${each.method} ${each.path}`, each]))
  const ids = new Map<string | undefined, number>()
  for (const { id } of original) ids.set(id, (ids.get(id) ?? 0) + 1)
  const problems = original.flatMap((each) => {
    const same = found.get(`${each.method} ${each.path}`)
    if (!same) return [`an operation is missing`]
    if (each.id && each.id.length < 245 && ids.get(each.id) === 1 && same.id !== each.id)
      return ['another operation id']
    if (String(same.parameters) !== String(each.parameters)) return ['other parameters']
    return String(same.takes) === String(each.takes) ? [] : ['other media types']
  })
  return original.length === version.length ? problems : [...problems, 'another number of operations']
}

/** What a description tells otherwise than the version, of operations of which it does not say so; `said` are the others. */
export function silentDifferences(version: Told[], description: Told[], said: ReadonlySet<string>): string[] {
  const found = new Map(description.map((each) => [each.id, each]))
  return version.flatMap((each) => {
    if (said.has(each.id as string)) return []
    const same = found.get(each.id)
    if (!same) return ['an operation is missing']
    if (place(same) !== place(each)) return ['an operation stands at another place']
    const expected = [...new Set([...each.parameters, ...pathParameters(each)])].sort()
    return String(same.parameters) === String(expected) ? [] : ['other parameters']
  })
}

/** A description names each variable of a path, also where the version does not, and one that repeats with a number. */
function pathParameters({ path }: Told): string[] {
  const names = new Set<string>()
  let twins = 1
  for (const [, name = ''] of path.matchAll(/\{([^{}]*)\}/g)) names.add(names.has(name) ? name + ++twins : name)
  return [...names].map((name) => `path ${name}`)
}

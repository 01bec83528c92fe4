/** A path template as descriptions write it: each variable part as `{name}`, whatever pattern it is stored with. */
export interface PathTemplate {
  path: string
  /** The same for all paths that differ in the names of variables only. */
  shape: string
  /** The names of its variables, no two alike. */
  names: string[]
  /** The names as they were stored. */
  stored: string[]
}

const nameless = 'parameter'

/** Reads a stored path in time linear in its length; a brace that has no partner stands for itself. */
export function pathTemplate(text: string): PathTemplate {
  if (!/[{}]/.test(text)) return { path: text, shape: text, names: [], stored: [] }
  const ends = partners(text)
  const stored: string[] = []
  const names = new Set<string>()
  let path = ''
  let shape = ''
  let twins = 1
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    const end = character === '{' ? ends.get(at) : undefined
    if (end === undefined) {
      const literal = character === '{' ? '%7B' : character === '}' ? '%7D' : character
      path += literal
      shape += literal
      continue
    }
    const given = storedName(text.slice(at + 1, end))
    const wanted = given.replace(/[/?#{}]/g, '_') || nameless
    let name = wanted
    while (names.has(name)) name = wanted + ++twins
    stored.push(given)
    names.add(name)
    path += `{${name}}`
    shape += '{}'
    at = end
  }
  return { path, shape, names: [...names], stored }
}

/** The name in a variable part: what stands before its pattern, as in `path:.+|`. */
function storedName(part: string): string {
  const colon = part.indexOf(':')
  return (colon < 0 ? part : part.slice(0, colon)).trim()
}

/** Where each brace that opens a pair is closed; braces in a pattern pair up as well. */
function partners(text: string): Map<number, number> {
  const ends = new Map<number, number>()
  const open: number[] = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') open.push(at)
    const start = text[at] === '}' ? open.pop() : undefined
    if (start !== undefined) ends.set(start, at)
  }
  return ends
}

/** The longest prefix that paths share by whole segments; `/` if they share none. */
export function commonPath(paths: readonly string[]): string {
  const [first = '', ...others] = paths
  let shared = first.split('/')
  for (const path of others) {
    const segments = path.split('/')
    const end = shared.findIndex((segment, at) => segment !== segments[at])
    if (end >= 0) shared = shared.slice(0, end)
  }
  return shared.join('/').replace(/\/$/, '') || '/'
}

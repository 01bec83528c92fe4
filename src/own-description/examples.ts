import { existsSync, readFileSync } from 'node:fs'
import { projectFolder } from '../project-folder.ts'
import type { Format } from '../representation/media-types.ts'

/** The bodies of `examples/` that an operation takes in a format, by name; JSON is parsed. */
export function examplesOf(names: readonly string[], format: Format): Record<string, { value: unknown }> {
  const found: Record<string, { value: unknown }> = {}
  for (const name of names) {
    const file = new URL(`examples/${name}.${format}`, projectFolder)
    if (!existsSync(file)) continue
    const text = readFileSync(file, 'utf8')
    found[name] = { value: format === 'json' ? JSON.parse(text) : text }
  }
  return found
}

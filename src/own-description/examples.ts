import { existsSync, readFileSync } from 'node:fs'
import { readConfig } from '../config.ts'
import { projectFolder } from '../project-folder.ts'
import type { Format } from '../representation/media-types.ts'
import { type Vendor, vendorNames } from '../vendor.ts'

const standard = vendorNames(readConfig({}))

/** The bodies of `examples/` that an operation takes in a format, by name, in this service's words; JSON is parsed. */
export function examplesOf(
  names: readonly string[],
  format: Format,
  vendor: Vendor,
): Record<string, { value: unknown }> {
  const found: Record<string, { value: unknown }> = {}
  for (const name of names) {
    const file = new URL(`examples/${name}.${format}`, projectFolder)
    if (!existsSync(file)) continue
    const text = inWordsOf(vendor, readFileSync(file, 'utf8'))
    found[name] = { value: format === 'json' ? JSON.parse(text) : text }
  }
  return found
}

/** The files have the words that are set when nothing is: in names of states and the like, and at the end of ids. */
function inWordsOf(vendor: Vendor, text: string): string {
  return text
    .replaceAll(`${standard.identifierPrefix}.`, `${vendor.identifierPrefix}.`)
    .replaceAll(new RegExp(`\\.${standard.fedmemberId}(?=["<])`, 'g'), `.${vendor.fedmemberId}`)
}

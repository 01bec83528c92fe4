import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export const fixtures = [
  'petstore-3.1.yaml',
  'petstore-3.0.yaml',
  'petstore-2.0.yaml',
  'petstore-1.2.json',
  'petstore-1.1.json',
]

export function fixture(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/${name}`, import.meta.url))
}

/** A fixture as the object that it describes, read by another reader than the service's. */
// biome-ignore lint/suspicious/noExplicitAny: tests change all kinds of members.
export function fixtureObject(name: string): any {
  return parse(fixture(name).toString(), { merge: true })
}

import { NotFound } from '../fault.ts'
import type { Described, Description } from './described.ts'
import { openapi30, openapi31 } from './openapi3.ts'
import { swagger12 } from './swagger12.ts'
import { swagger20 } from './swagger20.ts'

type Describe = (described: Described) => Description

const specifications = new Map<string, Describe>([
  ['swagger', swagger20],
  ['swagger12', swagger12],
  ['oas30', openapi30],
  ['oas31', openapi31],
  // The newest.
  ['oas3', openapi31],
  ['openapi', openapi31],
])

/** The words that name a format. */
export const knownSpecifications: readonly string[] = [...specifications.keys()]

/** @throws NotFound for a word that names no format; the text lists those that do. */
export function specification(word: string): Describe {
  const describe = specifications.get(word)
  if (describe) return describe
  throw new NotFound(
    `${JSON.stringify(word.slice(0, 100))} is no description format; there are ${knownSpecifications.join(', ')}.`,
  )
}

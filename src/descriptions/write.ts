import { writeYaml } from '../representation/yaml-write.ts'
import type { Texts } from './described.ts'
import { omissionHeader } from './omission-header.ts'
import { specification } from './specifications.ts'
import { type Selection, swagger11 } from './swagger11.ts'

/** A version as it is stored, and the texts of its API. */
export interface StoredVersion extends Texts {
  doc: string
}

/** Which description of it is wanted. */
export interface Wanted {
  /** A word that names a format; Swagger 1.1 of some operations where it is none. */
  format: string | Selection
  yaml: boolean
}

/** A description as clients read it. */
export interface WrittenDescription {
  /** In UTF-8 already where a thread wrote it. */
  content: string | Uint8Array
  /** What the format cannot express, as the value of a header. */
  notExpressed: string | undefined
}

/** Describes a version, here or in the thread. */
export function writeDescription(
  { apiName, apiSummary, apiDescription, doc }: StoredVersion,
  { format, yaml }: Wanted,
): WrittenDescription & { content: string } {
  const described = { apiName, apiSummary, apiDescription, version: JSON.parse(doc) }
  const { document, unsaid = [] } =
    typeof format === 'string' ? specification(format)(described) : swagger11(described, format)
  return {
    content: yaml ? writeYaml(document) : JSON.stringify(document),
    notExpressed: unsaid.length > 0 ? omissionHeader(unsaid) : undefined,
  }
}

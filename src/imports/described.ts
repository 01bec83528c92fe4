import type { Static } from 'typebox'
import type { VersionBody } from '../api-versions/schemas.ts'

export type Version = Static<typeof VersionBody>
export type Operation = NonNullable<NonNullable<Version['Operations']>['Operation']>[number]
export type Input = NonNullable<Operation['Input']>[number]

/** An operation as a document describes it, before it has a name of its own. */
export interface DescribedOperation {
  id: string | undefined
  method: string
  path: string
  /** JSON pointer to the operation. */
  pointer: string
  inputs: Input[]
  takes: string[]
  gives: string[]
  faults: string[]
  tags: string[]
}

/** What a document says, whatever its format. */
export interface Described {
  name: string
  version: string | undefined
  description: string | undefined
  /** Those of the whole document. */
  tags: string[]
  /** Where the API is reached, in order; relative ones as they are. */
  addresses: string[]
  /** Each is made only when it is asked for, as many may share the same parts. */
  operations: Iterable<DescribedOperation>
}

import { Type } from 'typebox'

/** The query parameters that say whether a version is read with its larger members; absent ones do not leave any out. */
export const includeParameters = {
  IncludeOperations: Type.Optional(Type.Boolean({ description: 'When false, Operations is left out.' })),
  IncludeEndpoints: Type.Optional(Type.Boolean({ description: 'When false, Endpoints is left out.' })),
  IncludeTargetAPI: Type.Optional(Type.Boolean({ description: 'When false, TargetAPI is left out.' })),
}

type IncludeParameters = { [Parameter in keyof typeof includeParameters]?: boolean }

const members = ['Operations', 'Endpoints', 'TargetAPI'] as const

/** What a reader of a version does not want. */
export interface LeftOut {
  members: readonly string[]
  /** Tells the answer's ETag from those of others; empty for the whole version. */
  variant: string
}

const nothing: LeftOut = { members: [], variant: '' }

export function leftOut(query: IncludeParameters): LeftOut {
  const unwanted = members.filter((member) => query[`Include${member}`] === false)
  return unwanted.length === 0 ? nothing : { members: unwanted, variant: `.without-${unwanted.join('-')}` }
}

import type { Static } from 'typebox'
import type { APIVersion } from '../api-versions/schemas.ts'
import type { Omission } from './operations.ts'

/** What descriptions say of an API. */
export interface Texts {
  apiName: string
  apiSummary: string | null
  apiDescription: string | null
}

/** What every format describes: a version, and the texts of its API. */
export interface Described extends Texts {
  version: Static<typeof APIVersion>
}

/** A version in one format. Members that are undefined are not written. */
export interface Description {
  document: object
  /** What the format cannot express, where it has no place to say so either. */
  unsaid?: Omission[]
}

/** The `info` of Swagger 2.0 and OpenAPI; a summary has a place of its own in the newest only. */
export function infoOf({ apiName, apiSummary, apiDescription, version }: Described, summary: string): object {
  const description = version.Description ?? apiDescription
  return {
    title: apiName,
    version: version.Name,
    ...(apiSummary && { [summary]: apiSummary }),
    ...(description && { description }),
  }
}

/** Adds what else `infoOf` says to `omissions`, for formats that have a place for names only. */
export function omitTexts({ apiSummary, apiDescription, version }: Described, omissions: Omission[]): void {
  const texts = { summary: apiSummary, description: version.Description ?? apiDescription }
  for (const [name, text] of Object.entries(texts)) {
    if (text) omissions.push({ reason: `the ${name}: the format has no place for it` })
  }
}

/** The list of omissions as a member of a document; nothing when nothing was left out. */
export function saidOmissions(omissions: Omission[]): object {
  return omissions.length > 0 ? { 'x-not-expressed': omissions } : {}
}

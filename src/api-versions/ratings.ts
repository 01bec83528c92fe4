import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { Reader } from '../access/caller.ts'
import { versionReadable } from './permission.ts'
import type { RatingSummary } from './schemas.ts'

/** How many ratings of one, two, ... five there are. */
export type RatingCounts = readonly number[]

export const noRatings: RatingCounts = [0, 0, 0, 0, 0]

/** Counts of ratings as clients read them. */
export function ratingSummaryOf([One = 0, Two = 0, Three = 0, Four = 0, Five = 0]: RatingCounts): Static<
  typeof RatingSummary
> {
  return { Five, Four, Three, Two, One }
}

/** SQL: the ratings of those versions of the row `a` of api that somebody may read, counted together. */
export function ratingsOfApi(reader: Reader): RawBuilder<number[]> {
  const sums = [1, 2, 3, 4, 5].map((rating) => sql`coalesce(sum(v.ratings[${sql.lit(rating)}]), 0)`)
  return sql<number[]>`(select array[${sql.join(sums)}]::integer[]
    from api_version v where v.api_id = a.id and v.is_rated and ${versionReadable(reader)})`
}

import { Type } from 'typebox'
import { readOnlyId } from './schemas.ts'

const stars = Type.Integer({ minimum: 1, maximum: 5 })

/** A rating as a request carries it: whose it is and of what, the path says. */
export const RatingBody = Type.Object(
  { ID: readOnlyId, UserID: readOnlyId, Rating: stars },
  { title: 'RatingBody', xml: { name: 'Rating' } },
)

/** What a user thinks of a version. */
export const Rating = Type.Object({ ID: Type.String(), UserID: Type.String(), Rating: stars }, { title: 'Rating' })

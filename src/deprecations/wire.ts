import type { Static } from 'typebox'
import { wireId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import type { ConsumerRow } from './consumers.ts'
import type { Consumer, Deprecation } from './schemas.ts'
import type { DeprecationRow } from './store.ts'

/** A deprecation as clients read it. */
export function wireDeprecation(row: DeprecationRow, vendor: Vendor): Static<typeof Deprecation> {
  const { sunset, successorId, notes } = row
  return {
    APIVersionID: wireId(vendor, row.id),
    APIID: wireId(vendor, row.apiId),
    APIName: row.apiName,
    VersionName: row.name,
    Deprecated: row.deprecated.toISOString(),
    ...(sunset !== null && { Sunset: sunset.toISOString() }),
    ...(successorId !== null && { SuccessorVersionID: wireId(vendor, successorId) }),
    ...(notes !== null && { Notes: notes }),
  }
}

/** A consumer as clients read it: a user without the e-mail address, which a Site Admin finds by the id. */
export function wireConsumer(row: ConsumerRow, vendor: Vendor): Static<typeof Consumer> {
  return {
    ...(row.userId !== null && { UserID: wireId(vendor, row.userId) }),
    ...(row.userName !== null && { UserName: row.userName }),
    ...(row.agent !== null && { UserAgent: row.agent }),
    LastRead: row.last,
    ReadsOfLast30Days: row.recent,
    Reads: row.total,
  }
}

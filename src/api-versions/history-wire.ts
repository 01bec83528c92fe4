import type { Static } from 'typebox'
import { wireId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import type { HistoryRow } from './history.ts'
import type { HistoryEntry } from './history-schemas.ts'

/** An entry of a history as clients read it. */
export function wireEntry(row: HistoryRow, vendor: Vendor): Static<typeof HistoryEntry> {
  return {
    Revision: row.revision,
    Time: row.at.toISOString(),
    ...(row.userId !== null && { UserID: wireId(vendor, row.userId) }),
    ...(row.userName !== null && { UserName: row.userName }),
    Action: row.action,
    ...(row.fromState !== null && { FromState: row.fromState }),
    ToState: row.toState,
    ...(row.comment !== null && { Comments: row.comment }),
  }
}

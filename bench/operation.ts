import type { Load } from './load.ts'
import type { Size } from './settings.ts'
import type { Site } from './site.ts'

/** One row of the table: the same requests go to the service and to the floor. */
export interface Operation {
  name: string
  /** The least share of the floor's requests per second that the service is meant to reach. */
  least: number
  load: (site: Site) => Load
  /** Other requests to the service, which then stand in place of the floor. */
  comparedWith?: (site: Site) => Load
  /** Goes to the service while it is measured, and not while what stands in place of the floor is. */
  meanwhile?: (site: Site) => Load
  /** As many times the p99 of what it is compared with may its own be. */
  mostP99?: number
  /** So many answers warm it up at first, where they are slow. */
  warmUpAnswers?: number
  /** The one database with which it is measured; without it both. */
  only?: Size
  /** The least share of its requests per second with the small database that it is meant to reach with the large one. */
  leastGrowth?: number
  /** As many times p50 may p99 be. */
  mostSpread?: number
  /** Readies the service for a leg of its own, not for one that it is compared with. */
  prepare?: (site: Site) => Promise<void>
  /** Makes the database after a leg as it was before. */
  tidy?: (site: Site) => Promise<void>
}

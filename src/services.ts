import type { ClientConfig } from 'pg'
import type { KeyRing } from './access/keys.ts'
import type { Config } from './config.ts'
import type { Database } from './database/tables.ts'
import type { ThreadFile } from './thread.ts'
import type { Vendor } from './vendor.ts'

/** What every domain is given: made once by the process, or by a test. */
export interface Services {
  config: Config
  vendor: Vendor
  keys: KeyRing
  db: Database
  /** For connections beside the pool. */
  connection: ClientConfig
  /** The files of threads, for a program that runs as it is written; a built one knows them. */
  threadFile?: ThreadFile
}

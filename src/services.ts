import type { ClientConfig } from 'pg'
import type { KeyRing } from './access/keys.ts'
import type { Config } from './config.ts'
import type { Database } from './database/tables.ts'
import type { Vendor } from './vendor.ts'

/** What every domain is given: made once by the process, or by a test. */
export interface Services {
  config: Config
  vendor: Vendor
  keys: KeyRing
  db: Database
  /** For connections beside the pool. */
  connection: ClientConfig
  /** The file of the thread that reads files, for a program that runs as it is written; a built one knows it. */
  importWorker?: () => URL | Promise<URL>
}

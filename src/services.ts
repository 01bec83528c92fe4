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
  /** The compiled module of the thread that reads files; a program that runs uncompiled has to say where it is. */
  importWorker?: () => URL | Promise<URL>
}

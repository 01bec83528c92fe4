import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { hashPassword } from './access/passwords.ts'
import type { Config } from './config.ts'
import type { Database, Transaction } from './database/tables.ts'
import { inTransaction } from './database/transaction.ts'
import { ConfigError } from './setting.ts'
import { insertUser } from './users/store.ts'

export interface FirstSiteAdmin {
  email: string
  /** Undefined when the password was configured. */
  madePassword: string | undefined
}

/**
 * What a database needs before the first request: the words that its data was written with, and a Site Admin.
 * @returns the Site Admin if this was the first start.
 * @throws ConfigError when the data was written with other words.
 */
export async function bootstrap(db: Database, config: Config): Promise<FirstSiteAdmin | undefined> {
  return inTransaction(db, async (trx) => {
    await sql`lock table deployment in exclusive mode`.execute(trx)
    await checkDeployment(trx, config)
    return addFirstSiteAdmin(trx, config)
  })
}

async function checkDeployment(trx: Transaction, config: Config): Promise<void> {
  const words = { fedmember_id: config.fedmemberId, identifier_prefix: config.vendorIdentifierPrefix }
  const stored = await trx.selectFrom('deployment').selectAll().executeTakeFirst()
  if (!stored) {
    await trx.insertInto('deployment').values(words).execute()
    return
  }
  for (const [name, now, before] of [
    ['FEDMEMBER_ID', words.fedmember_id, stored.fedmember_id],
    ['VENDOR_IDENTIFIER_PREFIX', words.identifier_prefix, stored.identifier_prefix],
  ]) {
    if (now !== before)
      throw new ConfigError(`${name} is "${now}", but the data was written with "${before}": set it back to that.`)
  }
}

async function addFirstSiteAdmin(trx: Transaction, config: Config): Promise<FirstSiteAdmin | undefined> {
  const anyone = await trx.selectFrom('app_user').select('id').limit(1).executeTakeFirst()
  if (anyone) return undefined
  const password = config.adminPassword ?? randomBytes(15).toString('base64url')
  await insertUser(trx, {
    userName: config.adminEmail,
    email: config.adminEmail,
    passwordHash: await hashPassword(password),
    enabled: true,
    roles: ['SiteAdmin'],
  })
  return { email: config.adminEmail, madePassword: config.adminPassword ? undefined : password }
}

import { sql } from 'kysely'
import type { KeyRing } from '../access/keys.ts'
import type { Database, DomainKind, RoleRule } from '../database/tables.ts'
import type { Vendor } from '../vendor.ts'

/** A login domain as signing in needs it, its secret decrypted. */
export interface SignInDomain {
  id: string
  kind: DomainKind
  title: string
  enabled: boolean
  servesOAuth: boolean
  provisions: boolean
  settings: object
  secret: string | undefined
  /** Whether there is a secret that none of the keys opens. */
  secretIsLost: boolean
  roleRules: RoleRule[]
}

/** The login domain of a DomainName, without regard to case, or of a LoginDomainID. */
export async function readSignInDomain(
  db: Database,
  { vendor, keys }: { vendor: Vendor; keys: KeyRing },
  named: string,
): Promise<SignInDomain | undefined> {
  // What PostgreSQL cannot carry names nothing.
  if (named.includes('\0')) return undefined
  const suffix = `.${vendor.fedmemberId}`
  const id = named.endsWith(suffix) ? named.slice(0, -suffix.length) : named
  const row = await db
    .selectFrom('login_domain')
    .where((where) => where.or([where('id', '=', id), where(sql`lower(domain_name)`, '=', sql`lower(${named}::text)`)]))
    .orderBy(sql`id = ${id}`, 'desc')
    .select(['id', 'kind', 'title', 'enabled', 'serves_oauth as servesOAuth', 'provisions', 'settings', 'secret'])
    .select('role_rules as roleRules')
    .executeTakeFirst()
  if (!row) return undefined
  const secret = row.secret === null ? undefined : keys.decrypt(secretPurpose(row.id), row.secret)
  return { ...row, secret, secretIsLost: row.secret !== null && secret === undefined }
}

/** Binds an encrypted secret to its login domain. */
export function secretPurpose(domainId: string): string {
  return `secret of login domain ${domainId}`
}

import { keyRing } from '../../../src/access/keys.ts'
import type { RoleRule } from '../../../src/database/tables.ts'
import type { DirectorySettings } from '../../../src/login-domains/settings.ts'
import { secretPurpose } from '../../../src/login-domains/sign-in.ts'
import type { Answer } from '../client.ts'
import type { Service } from '../service.ts'
import { people, service as serviceAccount } from './seeds.ts'

export interface DirectoryDomain {
  settings?: Partial<DirectorySettings>
  secret?: string | null
  provisions?: boolean
  roleRules?: RoleRule[]
}

let domains = 0

/** Settings that are right for the test directories, but for the address. */
export function settingsOf(settings: Partial<DirectorySettings>): DirectorySettings {
  return {
    Url: 'ldap://127.0.0.1',
    StartTls: false,
    BindDn: serviceAccount.dn,
    BaseDn: people,
    NameAttribute: 'uid',
    IdAttribute: 'entryUUID',
    EmailAttribute: 'mail',
    GroupAttribute: 'memberOf',
    GroupMemberAttribute: 'member',
    ...settings,
  }
}

/** Adds a directory as a login domain, and returns its name. */
export async function addDirectoryDomain(
  { db, config }: Service,
  { settings = {}, secret = serviceAccount.password, provisions = true, roleRules = [] }: DirectoryDomain,
): Promise<string> {
  const id = `directory${++domains}`
  await db
    .insertInto('login_domain')
    .values({
      id,
      kind: 'ldap',
      domain_name: `Directory ${domains}`,
      display_mode: null,
      title: `The directory ${domains}`,
      sequence: domains,
      provisions,
      settings: JSON.stringify(settingsOf(settings)),
      secret: secret === null ? null : keyRing(config.secretKeys ?? []).encrypt(secretPurpose(id), secret),
      role_rules: JSON.stringify(roleRules),
    })
    .execute()
  return id
}

/** Signs in with a new client through a login domain, as a form does. */
export function ssoLogin(
  service: Service,
  domain: string,
  userName: string,
  password: string,
  more: Record<string, string> = {},
): Promise<Answer> {
  const form = new URLSearchParams({ domain, identity_username: userName, secret_password: password, ...more })
  return service.client().send('POST', '/api/login/ssoLogin', {
    body: form.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
}

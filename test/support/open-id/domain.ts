import { randomUUID } from 'node:crypto'
import { keyRing } from '../../../src/access/keys.ts'
import type { RoleRule } from '../../../src/database/tables.ts'
import type { OpenIdSettings } from '../../../src/login-domains/settings.ts'
import { secretPurpose } from '../../../src/login-domains/sign-in.ts'
import type { Service } from '../service.ts'

export interface OpenIdDomain {
  id: string
  /** Where signing in through it begins. */
  entrance: string
}

/** Where a provider of the domain sends browsers back to. */
export const redirectUri = (service: Service, id: string) => `${service.url}/api/login/ssoLogin/${id}`

/** Stores a login domain of an OpenID Connect provider. */
export async function addOpenIdDomain(
  service: Service,
  settings: Partial<OpenIdSettings> & { Issuer: string },
  more: { id?: string; secret?: string; provisions?: boolean; rules?: RoleRule[] } = {},
): Promise<OpenIdDomain> {
  const { id = randomUUID(), secret, provisions = true, rules = [] } = more
  const complete: OpenIdSettings = {
    ClientId: 'platform',
    Scope: 'openid profile email',
    UserNameClaim: 'preferred_username',
    EmailClaim: 'email',
    ...settings,
  }
  const keys = keyRing(service.config.secretKeys ?? [])
  await service.db
    .insertInto('login_domain')
    .values({
      id,
      kind: 'oidc',
      domain_name: `provider-${id}`,
      display_mode: null,
      title: 'A provider',
      sequence: 1,
      provisions,
      settings: JSON.stringify(complete),
      secret: secret === undefined ? null : keys.encrypt(secretPurpose(id), secret),
      role_rules: JSON.stringify(rules),
    })
    .execute()
  return { id, entrance: redirectUri(service, id) }
}

import type { Static } from 'typebox'
import type { DomainKind, RoleRule } from '../database/tables.ts'
import { wireId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import type { ManagedLoginDomain } from './managed-schemas.ts'
import type { ListedLoginDomain } from './schemas.ts'
import type { DirectorySettings, OpenIdSettings } from './settings.ts'
import type { LoginDomainRow, ManagedRow } from './store.ts'

/** A login domain as clients read it. */
export function wireLoginDomain(row: LoginDomainRow, vendor: Vendor): Static<typeof ListedLoginDomain> {
  return {
    LoginDomainID: wireId(vendor, row.id),
    ...(row.domain_name !== null && { DomainName: row.domain_name }),
    FedmemberId: vendor.fedmemberId,
    ...(row.display_mode !== null && { DisplayMode: row.display_mode }),
    Title: row.title,
    Sequence: row.sequence,
    VirtualHost: row.virtual_hosts,
    IdSystemType: idSystemTypes(vendor)[row.kind],
    LogoAssigned: row.logo_assigned,
    Enabled: row.enabled,
  }
}

/** A login domain as Site Admins read it. */
export function wireManagedDomain(row: ManagedRow, vendor: Vendor): Static<typeof ManagedLoginDomain> {
  return {
    ...wireLoginDomain(row, vendor),
    Provision: row.provisions,
    OAuthEnabled: row.serves_oauth,
    HasSecret: row.has_secret,
    ...(row.kind === 'ldap' && { Directory: row.settings as DirectorySettings }),
    ...(row.kind === 'oidc' && { OpenID: row.settings as OpenIdSettings }),
    RoleRule: row.role_rules.map((rule) => wireRule(rule, vendor)),
  }
}

function wireRule({ attribute, value, role, groupId }: RoleRule, vendor: Vendor) {
  return {
    Attribute: attribute,
    Value: value,
    ...(role && { Role: role }),
    ...(groupId && { GroupID: wireId(vendor, groupId) }),
  }
}

/** What IdSystemType says of each kind of login domain. */
export function idSystemTypes(vendor: Vendor): Record<DomainKind, string> {
  return { local: vendor.userStore, ldap: 'Directory Server', oidc: vendor.openIdRelyingParty }
}

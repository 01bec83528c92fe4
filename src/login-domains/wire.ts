import type { Static } from 'typebox'
import type { DomainKind } from '../database/tables.ts'
import { wireId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import type { ListedLoginDomain } from './schemas.ts'
import type { LoginDomainRow } from './store.ts'

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

/** What IdSystemType says of each kind of login domain. */
export function idSystemTypes(vendor: Vendor): Record<DomainKind, string> {
  return { local: vendor.userStore, ldap: 'Directory Server', oidc: vendor.openIdRelyingParty }
}

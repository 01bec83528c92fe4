import type { Config } from './config.ts'

/** Every cookie, header, media-type and identifier name that carries a vendor word. */
export interface Vendor {
  fedmemberId: string
  tokenCookie: string
  csrfCookie: string
  /** Lower case, as Node gives header names. */
  csrfHeader: string
  renewHeader: string
  /** Carries the token of the OAuth login service. */
  oauthCookie: string
  mediaTree: string
  categoryPrefix: string
  userStore: string
  claimedIdPrefix: string
  /** Begins the names of states, visibilities and the like. */
  identifierPrefix: string
  openState: string
  registeredUsers: string
  openIdRelyingParty: string
}

/** Builds the names from the configured words; each word stands here and in the configuration only. */
export function vendorNames(config: Config): Vendor {
  const prefix = config.vendorIdentifierPrefix
  return Object.freeze({
    fedmemberId: config.fedmemberId,
    tokenCookie: `${config.vendorTokenCookie}_${config.fedmemberId}`,
    csrfCookie: `${config.vendorCsrfCookie}_${config.fedmemberId}`,
    csrfHeader: `x-${config.vendorCsrfCookie}_${config.fedmemberId}`.toLowerCase(),
    renewHeader: config.vendorRenewHeader,
    oauthCookie: `OAuthToken_${config.oauthProviderName}`,
    mediaTree: config.vendorMediaTree,
    categoryPrefix: config.vendorCategoryPrefix,
    userStore: config.vendorUserStore,
    claimedIdPrefix: config.vendorClaimedIdPrefix,
    identifierPrefix: prefix,
    openState: `${prefix}.api.state.open`,
    registeredUsers: `${prefix}.visibility.registered.users`,
    openIdRelyingParty: `${prefix}.securitydomain.openid.relyingparty`,
  })
}

import type { DirectorySettings, OpenIdSettings } from '../../login-domains/settings.ts'
import type { SignInDomain } from '../../login-domains/sign-in.ts'
import { directory } from './directory.ts'
import { openId } from './open-id.ts'
import type { CredentialsWay, RedirectWay, Way } from './way.ts'

const ways: { ldap: CredentialsWay<DirectorySettings>; oidc: RedirectWay<OpenIdSettings> } = {
  ldap: directory,
  oidc: openId,
}

/** The way to prove who somebody is at a domain other than the built-in one. */
export function wayOf({ kind }: Pick<SignInDomain, 'kind'>): Way<object> {
  if (kind === 'local') throw new Error('the built-in login domain has no way')
  // The settings of a domain are those of its kind.
  return ways[kind] as Way<object>
}

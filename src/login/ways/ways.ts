import type { SignInDomain } from '../../login-domains/sign-in.ts'
import { directory } from './directory.ts'
import { openId } from './open-id.ts'
import type { CredentialsWay, RedirectWay } from './way.ts'

type AnyWay = CredentialsWay<object> | RedirectWay<object>

const ways = { ldap: directory, oidc: openId } as unknown as Record<string, AnyWay>

/** The way to prove who somebody is at a domain other than the built-in one. */
export function wayOf({ kind }: Pick<SignInDomain, 'kind'>): AnyWay {
  const way = ways[kind]
  if (!way) throw new Error(`no way for login domains of the kind ${kind}`)
  return way
}

import type { IDToken, UserInfoResponse } from 'openid-client'
import { Unauthorized } from '../../../fault.ts'
import type { OpenIdSettings } from '../../../login-domains/settings.ts'
import type { Identity } from '../../people.ts'
import { plainText } from '../plain-text.ts'

type Claims = Record<string, unknown>

const mostAheadSeconds = 60
const mostValues = 2000
const longestValue = 2048

/**
 * What is checked of a valid ID token beside what the standard makes everybody check.
 * @throws Unauthorized
 */
export function checkClaims({ iat, azp }: IDToken, { ClientId }: OpenIdSettings): void {
  if (iat > Date.now() / 1000 + mostAheadSeconds) {
    throw new Unauthorized("The provider's answer is refused: its ID token is issued in the future.")
  }
  if (azp !== undefined && azp !== ClientId) {
    throw new Unauthorized("The provider's answer is refused: its ID token is issued to another client.")
  }
}

/** Whether a claim that is looked at is not among these. */
export function lacksClaims(claims: Claims, { UserNameClaim, EmailClaim }: OpenIdSettings, others: string[]): boolean {
  return [UserNameClaim, EmailClaim, ...others].some((name) => !Object.hasOwn(claims, name))
}

/**
 * Who the claims say somebody is; those of the ID token, which is signed, before those of the userinfo endpoint.
 * @throws Unauthorized for a subject that cannot be stored
 */
export function identityOf(token: IDToken, more: UserInfoResponse | undefined, settings: OpenIdSettings): Identity {
  const claims: Claims = { ...more, ...token }
  const own = (name: string) => (Object.hasOwn(claims, name) ? claims[name] : undefined)
  const subject = plain(token.sub, 255)
  if (!subject) throw new Unauthorized("The provider's answer is refused: its subject is empty, too long or not text.")
  return {
    issuer: token.iss,
    subject,
    userName: plain(own(settings.UserNameClaim), 320) ?? subject,
    email: plain(own(settings.EmailClaim), 320) ?? '',
    attributes: attributesOf(claims),
  }
}

function attributesOf(claims: Claims): Identity['attributes'] {
  const found = Object.entries(claims).map(([name, value]) => [name, valuesOf(value)] as const)
  // Without a prototype, so that a rule for "constructor" finds nothing.
  return Object.assign(Object.create(null), Object.fromEntries(found.filter(([, values]) => values.length > 0)))
}

function valuesOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value.slice(0, mostValues) : [value]
  return values.filter((one): one is string => typeof one === 'string' && one.length <= longestValue)
}

/** A plain text of a length that fits. */
function plain(value: unknown, longest: number): string | undefined {
  return typeof value === 'string' && value.length <= longest && plainText.test(value) ? value : undefined
}

import type { InputError } from '../fault.ts'
import { isPem, pemRule } from './certificates.ts'
import type { OpenIdSettings } from './settings.ts'
import { isThisMachine } from './this-machine.ts'

/** What the schema alone cannot tell of the settings of an OpenID Connect provider; pointers are into the settings. */
export function checkOpenIdSettings(settings: OpenIdSettings): InputError[] {
  const { Issuer, Scope, CaCertificates } = settings
  return [
    ...wrong('/Issuer', !isIssuer(Issuer), issuerRule),
    ...wrong('/Scope', !isScope(Scope), 'must be words with one blank between them, and openid one of them'),
    ...claims.flatMap((member) =>
      wrong(`/${member}`, !/^[!-~]+$/.test(settings[member]), 'must be the name of a claim'),
    ),
    ...wrong('/CaCertificates', CaCertificates !== undefined && !isPem(CaCertificates), pemRule),
  ]
}

const claims = ['UserNameClaim', 'EmailClaim'] as const
const issuerRule = 'must be an https address without query, fragment and user name; http only on this machine'

function wrong(pointer: string, isWrong: boolean, message: string): InputError[] {
  return isWrong ? [{ pointer, message }] : []
}

function isIssuer(text: string): boolean {
  if (!/^https?:\/\/[!-~]+$/.test(text) || /[\\?#@]/.test(text) || !URL.canParse(text)) return false
  return isReachable(new URL(text))
}

/** Whether what is said to the address stays secret on the way: https, or plain http on this machine. */
export function isReachable({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname))
}

function isScope(text: string): boolean {
  return /^[!#-[\]-~]+( [!#-[\]-~]+)*$/.test(text) && text.split(' ').includes('openid')
}

import { X509Certificate } from 'node:crypto'
import type { InputError } from '../fault.ts'
import type { OpenIdSettings } from './settings.ts'

/** What the schema alone cannot tell of the settings of an OpenID Connect provider; pointers are into the settings. */
export function checkOpenIdSettings({ Issuer, Scope, CaCertificates }: OpenIdSettings): InputError[] {
  return [
    ...wrong('/Issuer', !isIssuer(Issuer), issuerRule),
    ...wrong('/Scope', !isScope(Scope), 'must be words with one blank between them, and openid one of them'),
    ...wrong('/CaCertificates', CaCertificates !== undefined && !isPem(CaCertificates), 'must be PEM certificates'),
  ]
}

const issuerRule = 'must be an https address without query, fragment and user name; http only on this machine'

function wrong(pointer: string, isWrong: boolean, message: string): InputError[] {
  return isWrong ? [{ pointer, message }] : []
}

function isIssuer(text: string): boolean {
  if (!/^https?:\/\/[^\s\\/?#@]+(\/[^\s\\?#]*)?$/.test(text) || !URL.canParse(text)) return false
  return isReachable(new URL(text))
}

/** Whether what is said to the address stays secret on the way: https, or plain http on this machine. */
export function isReachable({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
}

function isScope(text: string): boolean {
  return /^[!#-[\]-~]+( [!#-[\]-~]+)*$/.test(text) && text.split(' ').includes('openid')
}

function isPem(text: string): boolean {
  const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
  const blocks = text.match(block) ?? []
  // Nothing but certificates: a private key has come here by mistake.
  return blocks.length > 0 && !text.replace(block, '').includes('-----') && blocks.every(isCertificate)
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0
  } catch {
    return false
  }
}

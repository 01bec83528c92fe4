import { X509Certificate } from 'node:crypto'
import { invalidMember } from '../fault.ts'
import type { DirectorySettings, OpenIdSettings } from './settings.ts'

const attributeMembers = [
  'NameAttribute',
  'IdAttribute',
  'EmailAttribute',
  'ObjectClass',
  'GroupAttribute',
  'GroupMemberAttribute',
] as const
const claimMembers = ['UserNameClaim', 'EmailClaim'] as const

/** @throws Malformed naming the member below /Directory that cannot be right, whatever the directory says. */
export function checkDirectorySettings(settings: DirectorySettings): void {
  const { Url, StartTls, CaCertificates } = settings
  const at = (member: string) => `/Directory/${member}`
  const url = addressOf(Url)
  if (!url || !['ldap:', 'ldaps:'].includes(url.protocol) || !['', '/'].includes(url.pathname) || url.search) {
    throw invalidMember(at('Url'), 'must be ldap://host[:port] or ldaps://host[:port]')
  }
  if (url.protocol === 'ldaps:' && StartTls) throw invalidMember(at('StartTls'), 'is for ldap:// addresses')
  if (url.protocol === 'ldap:' && !StartTls && !isThisMachine(url)) {
    throw invalidMember(at('Url'), 'must be ldaps://, or StartTls be true, for a directory on another machine')
  }
  checkCertificates(CaCertificates, at('CaCertificates'))
  for (const member of attributeMembers) {
    if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(settings[member] ?? 'a')) {
      throw invalidMember(at(member), 'must be a name of letters, digits and hyphens')
    }
  }
}

/** @throws Malformed naming the member below /OpenID that cannot be right, whatever the provider says. */
export function checkOpenIdSettings(settings: OpenIdSettings): void {
  const { Issuer, CaCertificates, Scope } = settings
  const at = (member: string) => `/OpenID/${member}`
  const url = addressOf(Issuer)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search) {
    throw invalidMember(at('Issuer'), 'must be an https address without query')
  }
  if (url.protocol === 'http:' && !isThisMachine(url)) {
    throw invalidMember(at('Issuer'), 'must be an https address for a provider on another machine')
  }
  checkCertificates(CaCertificates, at('CaCertificates'))
  if (!/^[!#-[\]-~]+( [!#-[\]-~]+)*$/.test(Scope) || !Scope.split(' ').includes('openid')) {
    throw invalidMember(at('Scope'), 'must be words with one blank between them, openid among them')
  }
  for (const member of claimMembers) {
    if (!/^[!-~]+$/.test(settings[member])) throw invalidMember(at(member), 'must be the name of a claim')
  }
}

/** Undefined for what is no address, or has a user name, a password or a fragment. */
function addressOf(text: string): URL | undefined {
  if (!/^[a-z]+:\/\/[!-~]+$/i.test(text) || /[\\@#]/.test(text) || !URL.canParse(text)) return undefined
  return new URL(text)
}

function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
}

function checkCertificates(pem: string | undefined, pointer: string): void {
  if (pem === undefined) return
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  if (!/^[\t\n\r -~]*$/.test(pem) || blocks.length === 0 || !blocks.every(isCertificate)) {
    throw invalidMember(pointer, 'must be one or more PEM certificates')
  }
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0
  } catch {
    return false
  }
}

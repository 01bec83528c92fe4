import { isIPv6 } from 'node:net'
import type { InputError } from '../fault.ts'
import { isPem, pemRule } from './certificates.ts'
import type { DirectorySettings } from './settings.ts'
import { isThisMachine } from './this-machine.ts'

/** Where a directory answers, and what protects the connection. */
export interface DirectoryAddress {
  host: string
  port: number
  protection: 'tls' | 'startTls' | 'none'
}

/** Reads `Url` and `StartTls`; undefined when they name no directory that a password may be sent to. */
export function directoryAddress({ Url, StartTls }: DirectorySettings): DirectoryAddress | undefined {
  const [, scheme, ip6, name, port] =
    /^(ldaps?):\/\/(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?\/?$/i.exec(Url) ?? []
  const host = ip6 ?? name
  const isTls = scheme?.toLowerCase() === 'ldaps'
  const number = Number(port ?? (isTls ? 636 : 389))
  if (!host || (ip6 && !isIPv6(ip6)) || number < 1 || number > 65_535) return undefined
  if (isTls && StartTls) return undefined
  if (!isTls && !StartTls && !isThisMachine(host)) return undefined
  return { host, port: number, protection: isTls ? 'tls' : StartTls ? 'startTls' : 'none' }
}

const name = /^[A-Za-z][A-Za-z0-9-]*$/
const names = [
  'NameAttribute',
  'IdAttribute',
  'EmailAttribute',
  'GroupAttribute',
  'GroupMemberAttribute',
  'ObjectClass',
] as const

/** What is wrong with the settings of a directory beyond their schema; pointers are from the settings. */
export function checkDirectorySettings(settings: DirectorySettings): InputError[] {
  const { Url, StartTls, BaseDn, GroupBaseDn = '', GroupFilter, BindDn = '', CaCertificates } = settings
  const isTls = /^ldaps:/i.test(Url)
  const address = directoryAddress({ ...settings, StartTls: StartTls && !isTls })
  const checks: [member: string, isFine: boolean, expected: string][] = [
    ['Url', address !== undefined, urlExpected],
    ['StartTls', !(isTls && StartTls), 'is for ldap:// addresses'],
    ...names.map((member): [string, boolean, string] => {
      const given = settings[member]
      return [member, given === undefined || name.test(given), 'must be letters, digits and hyphens']
    }),
    ['BaseDn', BaseDn.includes('='), 'must be the name of an entry, such as ou=people,dc=example,dc=com'],
    ['GroupBaseDn', /^$|=/.test(GroupBaseDn), 'must be the name of an entry'],
    ['GroupFilter', GroupFilter === undefined || isGroupFilter(GroupFilter), filterExpected],
    ['GroupFilter', GroupFilter === undefined || GroupBaseDn !== '', 'needs GroupBaseDn'],
    ['BindDn', /^$|[=@\\]/.test(BindDn), 'must be the name of an entry, user@domain or DOMAIN\\user'],
    ['CaCertificates', CaCertificates === undefined || isPem(CaCertificates), pemRule],
  ]
  return checks
    .filter(([, isFine]) => !isFine)
    .map(([member, , expected]) => ({ pointer: `/${member}`, message: expected }))
}

const filterExpected = 'must be a filter in parentheses that compares something with {dn} or {username}'

/** Whether it could be a filter: its parentheses close, and it says whose groups it finds. The rest the directory knows. */
function isGroupFilter(filter: string): boolean {
  let depth = 0
  const closesAtItsEnd = [...filter].every((character, at) => {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0
    return depth > 0 || (depth === 0 && at === filter.length - 1)
  })
  return closesAtItsEnd && depth === 0 && /=\{(dn|username)\}\)/.test(filter) && !/\p{Cc}/u.test(filter)
}

const urlExpected =
  'must be ldaps://host[:port], or ldap://host[:port] with StartTls; without TLS only localhost, 127.x.x.x or [::1]'

import { rootCertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { comparable } from '../../src/login/ways/directory/comparable.ts'
import { checkDirectorySettings } from '../../src/login-domains/directory-settings.ts'
import type { DirectorySettings } from '../../src/login-domains/settings.ts'
import { localhost } from '../support/directory/certificates.ts'
import { settingsOf } from '../support/directory/domain.ts'

const pointersOf = (settings: Partial<DirectorySettings>) =>
  checkDirectorySettings(settingsOf(settings)).map(({ pointer }) => pointer)
const [one, another] = rootCertificates as [string, string]

test.each<Partial<DirectorySettings>>([
  { Url: 'ldaps://directory.example.com' },
  { Url: 'LDAPS://directory.example.com:3269/' },
  { Url: 'ldap://directory.example.com', StartTls: true },
  { Url: 'ldap://localhost' },
  { Url: 'ldap://127.1.2.3:3890' },
  { Url: 'ldap://[::1]' },
  { Url: 'ldaps://[2001:db8::1]:636' },
  { BindDn: 'reader@example.com' },
  { BindDn: 'EXAMPLE\\reader' },
  { BindDn: '' },
  { GroupBaseDn: 'ou=groups,dc=example,dc=com', ObjectClass: 'inetOrgPerson' },
  { GroupBaseDn: 'ou=groups,dc=example,dc=com', GroupFilter: '(&(objectClass=posixGroup)(memberUid={username}))' },
  { GroupBaseDn: 'ou=groups,dc=example,dc=com', GroupFilter: '(member:1.2.840.113556.1.4.1941:={dn})' },
  { CaCertificates: one },
  { CaCertificates: `${one}\n\n${another}\n` },
])('settings are fine with %j', (settings) => {
  expect(pointersOf(settings)).toEqual([])
})

test.each<[string, Partial<DirectorySettings>[]]>([
  [
    '/GroupFilter',
    [
      '',
      'memberUid={username}',
      '(member=x)',
      '(member={DN})',
      '((member={dn})',
      '(a={dn})(b={dn})',
      '(member={dn}*)',
    ].map((GroupFilter) => ({ GroupBaseDn: 'o=x', GroupFilter })),
  ],
  ['/GroupFilter', [{ GroupFilter: '(member={dn})' }]],
  [
    '/Url',
    [
      { Url: 'ldap://directory.example.com' },
      { Url: 'ldap://10.0.0.1' },
      { Url: 'ldap://127.1' },
      { Url: 'ldap://127.0.0.1.example.com' },
      { Url: 'ldap://localhost.example.com' },
      { Url: 'ldap://[::2]' },
      { Url: 'ldaps://[1.2.3.4]' },
      { Url: 'https://directory.example.com' },
      { Url: 'ldapi:///run/slapd' },
      { Url: 'ldaps://user:secret@directory.example.com' },
      { Url: 'ldaps://directory.example.com/dc=example' },
      { Url: 'ldaps://directory.example.com?x' },
      { Url: 'ldaps://directory.example.com:0' },
      { Url: 'ldaps://directory.example.com:65536' },
      { Url: 'ldaps://' },
      { Url: 'ldaps://a b' },
      { Url: '' },
    ],
  ],
  ['/StartTls', [{ Url: 'ldaps://directory.example.com', StartTls: true }]],
  ['/NameAttribute', [{ NameAttribute: 'uid)(a=*' }, { NameAttribute: '' }, { NameAttribute: '1x' }]],
  ['/IdAttribute', [{ IdAttribute: 'entry UUID' }, { IdAttribute: 'x;binary' }]],
  ['/EmailAttribute', [{ EmailAttribute: 'mail*' }]],
  ['/GroupAttribute', [{ GroupAttribute: 'member,of' }]],
  ['/GroupMemberAttribute', [{ GroupMemberAttribute: 'member\0' }]],
  ['/ObjectClass', [{ ObjectClass: '*' }, { ObjectClass: '' }]],
  ['/BaseDn', [{ BaseDn: 'people' }]],
  ['/GroupBaseDn', [{ GroupBaseDn: 'groups' }]],
  ['/BindDn', [{ BindDn: 'EXTERNAL' }, { BindDn: 'reader' }]],
  [
    '/CaCertificates',
    [
      { CaCertificates: '' },
      { CaCertificates: `Our authority\n${one}` },
      { CaCertificates: 'certificates' },
      { CaCertificates: localhost.key },
      { CaCertificates: `${one}${localhost.key}` },
      { CaCertificates: one.replace('MII', 'MIX') },
      { CaCertificates: '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----' },
    ],
  ],
])('%s says what is wrong', (pointer, all) => {
  for (const settings of all) expect([settings, pointersOf(settings)]).toEqual([settings, [pointer]])
})

test.each([
  ['CN=Admins,OU=Groups,DC=example,DC=com', 'cn=admins, ou=groups , dc=Example,dc=COM'],
  ['cn=a\\,b,dc=x', 'CN=A\\2CB,DC=X'],
  ['cn=zo\\C3\\AB,dc=x', 'cn=Zoë,dc=x'],
  ['cn=a  b,dc=x', ' cn = a b;dc=x '],
  ['cn=\\#1\\+1,dc=x', 'cn=#1\\2b1,dc=x'],
  ['Admins', ' admins'],
  ['EXAMPLE\\Admins', 'example\\admins'],
])('%j and %j are one name', (one, other) => {
  expect(comparable(one)).toBe(comparable(other))
})

test.each([
  ['cn=a\\,cn=b,dc=x', 'cn=a,cn=b,dc=x'],
  ['cn=a\\+sn=b,dc=x', 'cn=a+sn=b,dc=x'],
  ['cn=a\\5c2cb,dc=x', 'cn=a\\2cb,dc=x'],
  ['cn=ab,dc=x', 'cn=a b,dc=x'],
  ['EXAMPLE\\admins', 'EXAMPLE\\aemins'],
  ['cn=\\ff,dc=x', 'cn=\\fe,dc=x'],
])('%j and %j are two names', (one, other) => {
  expect(comparable(one)).not.toBe(comparable(other))
})

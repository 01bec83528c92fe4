import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { checkOpenIdSettings } from '../../src/login-domains/open-id-settings.ts'

describe('settings of an OpenID Connect provider', async () => {
  const pem = await readFile(new URL('../fixtures/localhost.pem', import.meta.url), 'utf8')
  const certificate = pem.slice(pem.indexOf('-----BEGIN CERTIFICATE'))
  const sound = {
    Issuer: 'https://id.example.com',
    ClientId: 'x',
    Scope: 'openid',
    UserNameClaim: 'n',
    EmailClaim: 'e',
  }

  test.each<[object]>([
    [{}],
    [{ Issuer: 'https://id.example.com:8443/realms/main/' }],
    [{ Issuer: 'http://localhost:8080/realms/main' }],
    [{ Issuer: 'http://127.0.0.2' }],
    [{ Issuer: 'http://[::1]:80' }],
    [{ Scope: 'profile openid https://example.com/read' }],
    [{ CaCertificates: certificate }],
    [{ CaCertificates: `${certificate}\n${certificate}\n` }],
    [{ UserNameClaim: 'https://example.com/name', EmailClaim: 'e-mail' }],
  ])('that are sound: %j', (more) => {
    expect(checkOpenIdSettings({ ...sound, ...more })).toEqual([])
  })

  test.each<[object, string]>([
    ...[
      ['http://id.example.com', 'http://localhost.example.com', 'http://127.0.0.1.example.com', 'ftp://localhost'],
      ['id.example.com', '', 'https://', 'https://a b', 'https://user:pw@id.example.com', 'https://id.example.com?x=1'],
      [
        'https://id.example.com#x',
        'https://id.example.com/\\x',
        'javascript:alert(1)',
        'https://[::1',
        ' https://x',
        'https://id.example.com/ä',
        'https://id.example.com/a@b',
      ],
    ]
      .flat()
      .map((Issuer): [object, string] => [{ Issuer }, '/Issuer']),
    ...['', 'profile', 'openid  profile', ' openid', 'openid\tx', 'openid "x"', 'openidx'].map(
      (Scope): [object, string] => [{ Scope }, '/Scope'],
    ),
    ...['', 'a b', 'ä', 'a\0'].flatMap((name): [object, string][] => [
      [{ UserNameClaim: name }, '/UserNameClaim'],
      [{ EmailClaim: name }, '/EmailClaim'],
    ]),
    ...[
      '',
      'x',
      `Our authority\n${certificate}`,
      certificate.replace(/[A-Z]/g, 'A'),
      certificate.slice(0, 100),
      pem,
    ].map((CaCertificates): [object, string] => [{ CaCertificates }, '/CaCertificates']),
  ])('that are wrong: %j at %s', (more, pointer) => {
    expect(checkOpenIdSettings({ ...sound, ...more })).toEqual([
      { pointer, message: expect.stringMatching(/^must be /) },
    ])
  })
})

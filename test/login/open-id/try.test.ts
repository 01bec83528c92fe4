import { describe, expect, test } from 'vitest'
import { openId } from '../../../src/login/ways/open-id.ts'
import { startHostileProvider } from '../../support/open-id/hostile-provider.ts'
import { clientSecret, startProvider } from '../../support/open-id/provider.ts'

const provider = await startProvider(['http://127.0.0.1/back'])
const hostile = await startHostileProvider()

describe('trying the settings', () => {
  const settings = { ClientId: 'platform', Scope: 'openid', UserNameClaim: 'name', EmailClaim: 'email' }
  const tryWith = (more: object, secret: string | undefined = clientSecret) =>
    openId.test({ id: 'tried', settings: { ...settings, Issuer: provider.issuer, ...more }, secret })

  test('says of each step that it went well', async () => {
    expect(await tryWith({})).toEqual([
      { step: 'Read the discovery document' },
      { step: 'Compare the issuer' },
      { step: 'Find the endpoints' },
      { step: 'Compare what both can do' },
      { step: 'Read the keys' },
      { step: 'Sign in as the client' },
    ])
  })

  test.each<[object, string | undefined, number, RegExp]>([
    [{ Issuer: 'http://127.0.0.1:9' }, clientSecret, 1, /ECONNREFUSED/],
    [{ Issuer: provider.issuer.replace('127.0.0.1', 'localhost') }, clientSecret, 2, /calls itself/],
    [{ ClientId: 'somebody else' }, clientSecret, 6, /does not accept ClientId and secret \(invalid_client\)/],
    [{}, 'another secret', 6, /does not accept ClientId and secret \(invalid_client\)/],
  ])('stops at the first that fails: %j', async (more, secret, count, failure) => {
    const steps = await tryWith(more, secret)
    expect(steps).toHaveLength(count)
    expect(steps.at(-1)?.failure).toMatch(failure)
    expect(JSON.stringify(steps)).not.toContain(clientSecret)
  })

  test('says so when there are no keys', async () => {
    hostile.behaviour = { keys: [] }
    const steps = await tryWith({ Issuer: hostile.issuer })
    expect(steps.at(-1)).toEqual({
      step: 'Read the keys',
      failure: `There are no public keys at ${hostile.issuer}/keys.`,
    })
    expect(steps).toHaveLength(5)
  })

  test('uses nothing remembered, and says what the provider lacks', async () => {
    hostile.behaviour = {}
    expect(await tryWith({ Issuer: hostile.issuer })).toHaveLength(6)
    hostile.behaviour = { description: { code_challenge_methods_supported: ['plain'] } }
    const steps = await tryWith({ Issuer: hostile.issuer })
    expect(steps.at(-1)).toEqual({
      step: 'Compare what both can do',
      failure: 'The provider does not offer PKCE with S256.',
    })
  })
})

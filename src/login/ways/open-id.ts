import type { OpenIdSettings } from '../../login-domains/settings.ts'
import type { RedirectWay } from './way.ts'

/** Proves by a visit to an OpenID Connect provider. */
export const openId: RedirectWay<OpenIdSettings> = {
  needs: 'redirect',
  begin: async () => {
    throw new Error('not yet')
  },
  finish: async () => {
    throw new Error('not yet')
  },
  test: async () => [],
}

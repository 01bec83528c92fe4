import type { Trait } from '../traits.ts'

export const setsCookies: Trait = {
  answerHeaders: { 'Set-Cookie': 'The token cookie; and the CSRF cookie, in a header of its own.' },
}

/** Proves by platform password. */
export const byPlatformPassword: Trait = {
  statuses: { 401: 'The name or the password is wrong.', 429: 'Too many sign-ins have failed: wait.' },
}

/** Proves at the directory or provider of a login domain. */
export const throughDomain: Trait = {
  redirects: 'To the provider; or, signed in, to finalUrl or to a page that says so.',
  statuses: {
    401: 'It is not proven who somebody is, or they may not come in here this way; the text says which.',
    404: 'There is no such login domain.',
    429: 'Too many sign-ins have failed, or are under way: wait.',
    503: 'The database, the directory or the provider is not available, or the service is about to stop: try again.',
  },
}

/** Its page may be what a browser is answered. */
export const forBrowsers: Trait = { refusesByPage: true }

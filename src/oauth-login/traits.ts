import type { Trait } from '../traits.ts'

export const setsCookie: Trait = {
  answerHeaders: { 'Set-Cookie': 'The cookie of the OAuth login service; or that of a sign-in under way.' },
}

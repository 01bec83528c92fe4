import { type AccessRule, anyone } from '../access/rules.ts'
import type { Trait } from '../traits.ts'

export const whoProves: AccessRule = { ...anyone, permission: 'None; signs in whoever proves who they are.' }

export const setsCookie: Trait = {
  answerHeaders: { 'Set-Cookie': 'The cookie of the OAuth login service; or that of a sign-in under way.' },
}

import type { Config } from '../config.ts'

/** Who may call an operation. What depends on the object called for is decided where the object is read or locked. */
export interface AccessRule {
  /** `anyone`: cookies are not looked at. `optional`: a genuine cookie tells who calls. `required`: 401 without one. */
  signIn: 'anyone' | 'optional' | 'required'
  siteAdmin?: true
  /** Takes no CSRF header, whatever the method. */
  csrfExempt?: true
  /** Refuses requests that a page of another site sent (Sec-Fetch-Site). */
  sameSite?: true
  /** The permission in words, for the description of the operation. */
  permission: string
}

/** Whether a signed-in caller of an operation has to send the CSRF header. */
export function needsCsrf(rule: AccessRule, method: string, config: Config): boolean {
  if (rule.csrfExempt) return false
  return method === 'GET' || method === 'HEAD' ? config.csrfOnReads : config.csrfOnWrites
}

export const anyone: AccessRule = { signIn: 'anyone', csrfExempt: true, permission: 'None; anyone may call it.' }

export const whoProves: AccessRule = { ...anyone, permission: 'None; signs in whoever proves who they are.' }

export const reader: AccessRule = { signIn: 'optional', permission: 'Read permission on the resource.' }

export const signedIn: AccessRule = { signIn: 'required', permission: 'Must be signed in.' }

/** Whose user it is, `knownUserId` looks at. */
export const selfOrSiteAdmin: AccessRule = {
  signIn: 'required',
  permission: 'Must be signed in; the user themself or a Site Admin.',
}

/** Who may modify is known where the API is locked. */
export const modifier: AccessRule = {
  signIn: 'required',
  permission: 'Must be signed in; Modify permission on the API: one of its API Admins, or a Business Admin.',
}

export const siteAdmin: AccessRule = { signIn: 'required', siteAdmin: true, permission: 'Site Admin.' }

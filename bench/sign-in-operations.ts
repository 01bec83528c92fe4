import { formType } from './client.ts'
import type { Load } from './load.ts'
import type { Operation } from './operation.ts'
import { adminPassword } from './servers.ts'
import type { Site } from './site.ts'

const json = 'application/json'

/** Each request signs in the next one of the people. */
function signInAs(path: string, type: string, credentials: (email: string) => string) {
  return ({ people }: Site): Load => {
    let next = 0
    return {
      method: 'POST',
      paths: [path],
      headers: { accept: json, 'content-type': type },
      body: () => credentials(people[next++ % people.length] as string),
    }
  }
}

const signIn = signInAs('/api/login', json, (email) => JSON.stringify({ email, password: adminPassword }))
const signInToOAuth = signInAs('/oauth/login', formType, (email) =>
  String(new URLSearchParams({ identity_email: email, secret_password: adminPassword })),
)
// An answer takes as long as a password hash, so few of them are a long warm-up.
const slow = { warmUpAnswers: 600 }

/** Signing in with a platform password, and renewing a token, on both interfaces. */
export const signInOperations: Operation[] = [
  { name: 'sign in', least: 0.9, ...slow, load: signIn },
  { name: 'sign in to OAuth', least: 0.9, ...slow, load: signInToOAuth },
  { name: 'renew the token', least: 0.6, load: renew('/api/login/renewToken') },
  { name: 'renew the OAuth token', least: 0.6, load: renew('/oauth/login/renewToken') },
]

function renew(path: string): Operation['load'] {
  return ({ headers }) => ({ method: 'POST', paths: [path], headers: { ...headers, 'content-type': formType } })
}

/** The same reads while sixteen callers sign in without pause, and without them. */
export const readWhileOthersSignIn = (read: (site: Site) => Load): Operation => ({
  name: 'read while 16 sign in / alone',
  least: 0.8,
  mostP99: 3,
  load: read,
  comparedWith: read,
  meanwhile: signIn,
})

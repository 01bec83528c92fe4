import type { Identity } from '../people.ts'

/** What somebody types to prove who they are. */
export interface NameAndPassword {
  userName: string
  password: string
}

/** What a visit to a provider has to bring back; kept until then, in the database only. */
export interface FlowSecrets {
  state: string
  nonce: string
  codeVerifier: string
}

/** One step of trying a way, for the Site Admin who sets it up. */
export interface Step {
  step: string
  /** What went wrong; undefined when the step went well. */
  failure?: string
}

/** A way to prove who somebody is at another domain than the built-in one; `Settings` are those of its kind. */
export type Way<Settings> = CredentialsWay<Settings> | RedirectWay<Settings>

/** A login domain as its way needs it. */
export interface DomainOf<Settings> {
  id: string
  settings: Settings
  /** Decrypted. */
  secret: string | undefined
  /** The attributes of a person that its rules look at. */
  roleRules?: readonly { attribute: string }[]
}

/** Proven here, by name and password. */
export interface CredentialsWay<Settings> {
  needs: 'credentials'
  /**
   * @returns undefined when it is not proven: unknown, wrong and empty look alike and take alike.
   * @throws Unavailable when the domain does not answer.
   */
  prove: (domain: DomainOf<Settings>, credentials: NameAndPassword) => Promise<Identity | undefined>
  /** Tries each step up to the first that fails. */
  test: (domain: DomainOf<Settings>) => Promise<Step[]>
}

/** Proven at the provider, which the browser visits. */
export interface RedirectWay<Settings> {
  needs: 'redirect'
  /** Where to send the browser; `redirectUri` is where it comes back to. */
  begin: (domain: DomainOf<Settings>, redirectUri: string) => Promise<{ url: string; secrets: FlowSecrets }>
  /**
   * Reads what the browser brought back: `answer` is the address that it came to, `redirectUri` with the provider's
   * parameters.
   * @throws Unauthorized whatever may be wrong with it; Unavailable when the provider does not answer.
   */
  finish: (domain: DomainOf<Settings>, answer: URL, secrets: FlowSecrets) => Promise<Identity>
  test: (domain: DomainOf<Settings>) => Promise<Step[]>
}

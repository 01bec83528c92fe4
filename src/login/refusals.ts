import type { FastifyRequest } from 'fastify'
import { FaultError } from '../fault.ts'
import type { Services } from '../services.ts'

/** Whom a sign-in names, as far as that is known when it is refused. */
export interface Named {
  /** The id of the user that the name found. */
  user?: string | undefined
  /** What was typed. */
  account?: string
  /** The login domain, if it is not the built-in one. */
  domain?: string
}

/**
 * Logs it when a sign-in proves nobody or throws. A name that finds no user may be a password in the wrong field, so the
 * log has a keyed digest of it, the same for each attempt.
 */
export async function refusalsLogged<T>(
  { keys }: Pick<Services, 'keys'>,
  request: FastifyRequest,
  named: Named,
  signIn: () => Promise<T>,
): Promise<T> {
  const refused = (reason?: string) => {
    const { user, account, domain } = named
    const digest =
      user === undefined && account !== undefined ? keys.sign('account in the log', account.toLowerCase()) : undefined
    request.log.info({ user, account: digest, address: request.ip, domain, reason }, 'sign-in refused')
  }
  try {
    const person = await signIn()
    if (person === undefined) refused()
    return person
  } catch (error) {
    // The texts of faults hold nothing of codes, tokens or passwords.
    refused(error instanceof FaultError ? error.message : undefined)
    throw error
  }
}

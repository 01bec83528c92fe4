/** What a directory or its settings fail in: one sentence for the operator, never with a secret. */
export class DirectoryFailure extends Error {}

/** Runs one step, by a name that an operator understands. */
export type Stepper = <T>(step: string, work: () => Promise<T>) => Promise<T>

/** @throws DirectoryFailure that names the step */
export const failing: Stepper = async (step, work) => {
  try {
    return await work()
  } catch (error) {
    throw new DirectoryFailure(`${step}: ${directoryReason(error)}`)
  }
}

const meanings: Record<number, string> = {
  8: 'it wants TLS, or a signed connection',
  13: 'it wants TLS',
  32: 'it has no such entry, or does not show it',
  34: 'it finds the name of the entry malformed',
  48: 'it wants another way to sign in',
  49: 'it refuses the name or the password',
  50: 'the account may not do this',
}

/** Why something failed, without the words of the directory: they may repeat what it was sent. */
export function directoryReason(error: unknown): string {
  if (error instanceof DirectoryFailure) return error.message
  if (!(error instanceof Error)) return 'Something is wrong.'
  const code = resultCode(error)
  if (code !== undefined)
    return `The directory answers with code ${code}${meanings[code] ? `: ${meanings[code]}` : ''}.`
  if (/Operation timed out$/.test(error.message)) return 'The directory does not answer in time.'
  const [, inner] = /^Socket error\..*\n(.*)$/.exec(error.message) ?? []
  if (inner) return inner
  if (/^(Connection closed|Socket connection)/.test(error.message)) return 'The directory breaks the connection off.'
  return /\.$/.test(error.message) ? error.message : `${error.message}.`
}

/** The LDAP result code that an answer had. */
export function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined
}

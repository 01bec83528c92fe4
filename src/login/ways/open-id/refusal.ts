import { FaultError, Unauthorized } from '../../../fault.ts'

// Their messages are fixed texts; those of all others may quote what came.
const plainErrors = ['OperationProcessingError', 'UnsupportedOperationError', 'ClientError']

const refusals: Record<string, string> = {
  OAUTH_AUTHORIZATION_RESPONSE_ERROR: 'The provider refused to sign you in',
  OAUTH_RESPONSE_BODY_ERROR: 'The provider refused this sign-in',
}

/** What to tell somebody whose sign-in failed on its way back from the provider: nothing of codes, tokens or secrets. */
export function refusalOf(error: unknown): FaultError {
  const causes = causesOf(error)
  const fault = causes.find((cause) => cause instanceof FaultError)
  if (fault) return fault
  for (const { code, error: word } of causes as { code?: string; error?: unknown }[]) {
    const said = typeof word === 'string' && /^[a-z_]{1,40}$/.test(word) ? ` (${word})` : ''
    if (code !== undefined && code in refusals) return new Unauthorized(`${refusals[code]}${said}.`)
  }
  const reason = causes.findLast(({ name }) => plainErrors.includes(name))?.message ?? 'it is malformed'
  return new Unauthorized(`The provider's answer is refused: ${reason}.`)
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}

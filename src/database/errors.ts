import { codeOf } from './error-code.ts'

const temporary = /^(08|53|57P0|25006$|25P03$|57014$|55P03$|40001$|40P01$)/
const broken = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
const lost =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Client network socket)/

/** The message of what breaks off a large change when there are too many at a time. */
export const tooManyLarge = 'Query read timeout: too many large changes'

/** Whether the database is away, frozen, out of connections or asks to try again: not a defect of the service. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  return (
    (code !== undefined && (temporary.test(code) || broken.has(code))) ||
    (error instanceof Error && lost.test(error.message))
  )
}

/** Why the database cannot be used, in words for the operator; each address that refuses gives an error without any. */
export function reasonUnavailable(error: unknown): string {
  return (error as Error).message || 'the connection was refused'
}

/** Whether the transaction lost a race and may succeed when it is run again. */
export function isRetryable(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01'
}

/** Whether it was broken off because it took too long. */
export function isTooSlow(error: unknown): boolean {
  return codeOf(error) === '57014'
}

/** Whether others held for too long what a transaction had to lock, or won every race against it. */
export function isCrowdedOut(error: unknown): boolean {
  return codeOf(error) === '55P03' || isRetryable(error)
}

/** Whether it was broken off because too many large changes were under way. */
export function isOneTooManyLarge(error: unknown): boolean {
  return error instanceof Error && error.message === tooManyLarge
}

/** Whether a statement was not looked at, because one before it in its transaction had failed. */
export function isAborted(error: unknown): boolean {
  return codeOf(error) === '25P02'
}

/** The name of the unique index or constraint that a statement would have broken. */
export function brokenUniqueness(error: unknown): string | undefined {
  return codeOf(error) === '23505' ? (error as { constraint?: string }).constraint : undefined
}

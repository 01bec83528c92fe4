import { STATUS_CODES } from 'node:http'
import { type Static, Type } from 'typebox'

/** Where in the input a fault lies: a JSON pointer (RFC 6901) into the body, or the name of a parameter. */
export interface InputError {
  pointer: string
  message: string
}

interface FaultOptions {
  errors?: InputError[]
  headers?: Record<string, string>
  cause?: unknown
}

/** An error that the caller is told about: status, code and text become the Fault body. */
export class FaultError extends Error {
  readonly status: number
  readonly code: string
  readonly errors: InputError[] | undefined
  readonly headers: Record<string, string>

  constructor(status: number, code: string, message: string, options: FaultOptions = {}) {
    super(message, { cause: options.cause })
    this.status = status
    this.code = code
    this.errors = options.errors
    this.headers = options.headers ?? {}
  }
}

export class Malformed extends FaultError {
  constructor(message: string, errors?: InputError[]) {
    super(400, 'Malformed', message, errors ? { errors } : {})
  }
}

/** The fault for one member that is not valid, where the schema alone could not tell. */
export function invalidMember(pointer: string, message: string): Malformed {
  return invalidMembers([{ pointer, message }])
}

/** The fault for all members that are not valid, where the schema alone could not tell. */
export function invalidMembers(errors: InputError[]): Malformed {
  const text = errors.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')
  return new Malformed(`The body is not valid: ${text}.`, errors)
}

/** Also for a caller who is known but not entitled: the contract has no 403. */
export class Unauthorized extends FaultError {
  constructor(message: string) {
    super(401, 'Unauthorized', message)
  }
}

/** `errors` are for what the body or the query names, not the path. */
export class NotFound extends FaultError {
  constructor(message: string, errors?: InputError[]) {
    super(404, 'NotFound', message, errors ? { errors } : {})
  }
}

export class MethodNotAllowed extends FaultError {
  constructor(method: string, allow: string) {
    super(405, 'MethodNotAllowed', `${method} is not allowed here; allowed: ${allow}.`, { headers: { Allow: allow } })
  }
}

export class NotAcceptable extends FaultError {
  constructor(offered: readonly string[]) {
    super(406, 'NotAcceptable', `No media type in Accept can be served; this operation serves ${offered.join(', ')}.`)
  }
}

export class PreconditionFailed extends FaultError {
  constructor(message: string) {
    super(412, 'PreconditionFailed', message)
  }
}

export class RequestTooLarge extends FaultError {
  constructor(message: string) {
    super(413, 'RequestTooLarge', message)
  }
}

export class UnsupportedMediaType extends FaultError {
  constructor(message: string) {
    super(415, 'UnsupportedMediaType', message)
  }
}

/** An Idempotency-Key that came with another request before. */
export class ReusedKey extends FaultError {
  constructor(message: string) {
    super(422, 'ReusedKey', message)
  }
}

export class TooManyRequests extends FaultError {
  constructor(message: string, retryAfterSeconds: number) {
    super(429, 'TooManyRequests', message, { headers: { 'Retry-After': String(Math.max(1, retryAfterSeconds)) } })
  }
}

/** The database or a login domain is away or frozen, connections or threads have run out, or the service is about to stop. */
export class Unavailable extends FaultError {
  constructor(message: string, cause?: unknown) {
    super(503, 'Unavailable', message, { headers: { 'Retry-After': '1' }, cause })
  }
}

/** The one body of every error: the platform's two members beside those of RFC 9457. */
export const Fault = Type.Object(
  {
    faultcode: Type.String(),
    faultstring: Type.String(),
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String(),
    errors: Type.Optional(Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() }))),
  },
  { title: 'Fault' },
)

/** Writes the body of a fault; `requestId` is the one that the log has. */
export function faultBody(fault: FaultError, requestId: string): Static<typeof Fault> {
  return {
    faultcode: fault.code,
    faultstring: fault.message,
    type: 'about:blank',
    title: STATUS_CODES[fault.status] ?? 'Error',
    status: fault.status,
    detail: fault.message,
    instance: `urn:uuid:${requestId}`,
    ...(fault.errors && { errors: fault.errors }),
  }
}

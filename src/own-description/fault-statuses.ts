import type { RouteOptions } from 'fastify'

const texts: Record<number, string> = {
  400: 'The request is not valid; `errors` says where.',
  401: 'Not signed in, or not entitled; the text says which.',
  404: 'Something that the path, the query or the body names does not exist.',
  406: 'No media type in Accept can be served.',
  413: 'The body is too large.',
  415: 'The body is of a type, charset or encoding that the operation does not take.',
  500: 'An error occurred processing the call.',
  503: 'The database is not available, others are changing the same or asking too much, or the service is about to stop: try again.',
}

/** The statuses of the faults that an operation may answer, with their meaning. */
export function faultStatuses({ method, schema, config = {} }: RouteOptions): Map<number, string> {
  const { access, media, takes, traits = [] } = config
  // One that the operation does not take is not looked at, but has to be read.
  const mayHaveBody = method !== 'GET'
  const isGuarded = access?.signIn !== 'anyone' || access.sameSite
  const may: Record<number, unknown> = {
    400: true,
    401: isGuarded,
    404: schema?.params,
    406: media !== 'none',
    413: mayHaveBody,
    415: schema?.body || takes,
    500: true,
    503: true,
  }
  const own = traits.flatMap(({ statuses = {} }) => Object.entries(statuses))
  const statuses = [
    ...Object.entries(texts).filter(([status]) => may[Number(status)]),
    ...own.filter(([status]) => Number(status) >= 400),
  ]
  return new Map(statuses.map(([status, text]) => [Number(status), text]))
}

/** Whether a status means this wherever else it occurs. */
export function isUsual(status: number, text: string): boolean {
  return (texts[status] ?? text) === text
}

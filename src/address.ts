import type { FastifyRequest } from 'fastify'

/** The address that clients use: the configured one, or the one that this request was sent to. */
export function addressFor({ protocol, host }: FastifyRequest, configured: string | undefined): string {
  return configured ?? (host ? `${protocol}://${host}` : '')
}

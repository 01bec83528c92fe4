import type { FastifyRequest } from 'fastify'
import type { Config } from './config.ts'
import type { SessionInterface } from './database/tables.ts'

/** The address that clients use: the configured one, or the one that this request was sent to. */
export function addressFor({ protocol, host }: FastifyRequest, configured: string | undefined): string {
  return configured ?? (host ? `${protocol}://${host}` : '')
}

/** The address under which clients reach an interface; undefined when none is configured. */
export function publicAddress({ publicUrl, oauthUrl }: Config, on: SessionInterface): string | undefined {
  return on === 'oauth' ? (oauthUrl ?? publicUrl) : publicUrl
}

/** Whether browsers reach an interface over https alone. */
export function isSecure(config: Config, on: SessionInterface): boolean {
  return publicAddress(config, on)?.startsWith('https:') ?? false
}

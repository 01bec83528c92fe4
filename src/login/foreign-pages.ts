import type { FastifyRequest } from 'fastify'
import { publicAddress } from '../address.ts'
import type { Config } from '../config.ts'
import type { SessionInterface } from '../database/tables.ts'
import { Unauthorized } from '../fault.ts'

/**
 * Keeps a page of another site from signing a visitor in as somebody else. Links are told by Sec-Fetch-Site: browsers
 * send no Origin with them.
 * @throws Unauthorized
 */
export function refuseForeignPage({ headers, host }: FastifyRequest, config: Config, on: SessionInterface): void {
  const { origin } = headers
  const isForeign = origin !== undefined && origin !== publicAddress(config, on) && !isOrigin(origin, host, config)
  if (isForeign || headers['sec-fetch-site'] === 'cross-site') {
    throw new Unauthorized('A page of another site may not sign people in.')
  }
}

/** Whether an origin is the host that a request was sent to; where that is configured, with its scheme. */
function isOrigin(origin: string, host: string, { publicUrl, oauthUrl }: Config): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host: page } = new URL(origin)
  // Proxies write the usual port as well, browsers do not.
  const sentTo = host.replace(protocol === 'https:' ? /:443$/ : /:80$/, '')
  const configured = [publicUrl, oauthUrl].find((url) => url !== undefined && new URL(url).host === sentTo)
  return configured === undefined ? page === sentTo : origin === configured
}

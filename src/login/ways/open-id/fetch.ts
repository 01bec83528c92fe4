import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { CustomFetch, CustomFetchOptions } from 'openid-client'
import { Unavailable } from '../../../fault.ts'
import { atMost } from '../../../in-flight.ts'
import { isReachable } from '../../../login-domains/open-id-settings.ts'

const limitMs = 3000
const largestAnswer = 256 * 1024

// One provider that hangs must not keep people of all others waiting.
const withinLimit = atMost(
  { ofOneKey: 10, inAll: 20 },
  () => new Unavailable('Too many sign-ins are waiting for providers: try again.'),
)

/**
 * Asks a provider: within three seconds in all, 256 kB at most, following no redirect, and by plain http on this machine
 * only. It trusts `certificates` in place of the usual authorities where there are some.
 * @throws Unavailable when no answer comes that could be one of a working provider
 */
export function fetchTrusting(certificates: string | undefined): CustomFetch {
  return async (address, options) => {
    const url = new URL(address)
    if (!isReachable(url)) throw new Unavailable('The provider names an address that is not https.')
    return withinLimit(url.host, () => exchange(url, options, certificates))
  }
}

function exchange(url: URL, { method, headers, body }: CustomFetchOptions, ca: string | undefined): Promise<Response> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sending = request(url, { method, headers, agent: false, ...(ca !== undefined && { ca }) }, (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size > largestAnswer) fail('its answer is too large')
      })
      response.on('end', () => {
        const wrong = complaint(response)
        if (wrong) return fail(wrong)
        clearTimeout(timer)
        resolve(answer(response, Buffer.concat(chunks)))
      })
      response.on('error', () => fail('its answer broke off'))
    })
    const timer = setTimeout(() => fail(`it took longer than ${limitMs / 1000} seconds`), limitMs)
    sending.on('error', ({ code = 'the connection broke' }: NodeJS.ErrnoException) => fail(code))
    sending.end(body == null ? undefined : String(body))

    function fail(reason: string): void {
      clearTimeout(timer)
      reject(new Unavailable(`The provider at ${url.host} does not answer as it should: ${reason}.`))
      sending.destroy()
    }
  })
}

/** What a working provider does not answer, whatever it was asked. */
function complaint({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  if (statusCode >= 300 && statusCode < 400) return 'it redirects'
  if (statusCode !== 200 && (statusCode < 400 || statusCode >= 500 || statusCode === 429)) return `status ${statusCode}`
  return /^text\/html\b/i.test(headers['content-type'] ?? '') ? 'it answers a page of HTML' : undefined
}

function answer({ statusCode = 0, headers }: IncomingMessage, bytes: Buffer): Response {
  return new Response(new Uint8Array(bytes), {
    status: statusCode,
    headers: { 'content-type': headers['content-type'] ?? 'application/octet-stream' },
  })
}

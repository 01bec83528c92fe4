import { Malformed } from '../fault.ts'

/**
 * The address to go to after signing in: a path or address of ours, or an http or https address on an allowed host.
 * @throws Malformed for every other
 */
export function allowedFinalUrl(given: string, base: string, allowedHosts: readonly string[]): string {
  const isPath = /^\/(?!\/)/.test(given)
  const isAddress = /^https?:\/\/[^/]/i.test(given)
  if (given.length <= 2048 && isPlain(given) && (isPath || isAddress) && URL.canParse(given, base)) {
    const url = new URL(given, base)
    const isAllowed =
      url.origin === new URL(base).origin || allowedHosts.some((host) => host.toLowerCase() === url.host)
    if (isAllowed && url.username === '' && url.password === '') return url.href
  }
  throw new Malformed('finalUrl must be a path of this service or an http or https address on an allowed host.')
}

/** Visible ASCII without a backslash, and nothing else once it is decoded: browsers read the rest in ways of their own. */
function isPlain(text: string): boolean {
  const plain = /^[!-[\]-~]+$/
  if (!plain.test(text)) return false
  try {
    const path = decodeURIComponent(text.split(/[?#]/, 1)[0] as string)
    return !/[\0- \x7f\\]/.test(path) && !/^\/\//.test(path)
  } catch {
    return false
  }
}

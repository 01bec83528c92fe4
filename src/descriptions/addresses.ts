import { remembering } from '../remembering.ts'
import type { Described } from './described.ts'
import type { Omission } from './operations.ts'

interface Place {
  /** With neither a slash at its end, nor braces. */
  url: string
  scheme: string
  host: string
  basePath: string
}

/** Where a version is reached. */
export interface Address extends Place {
  label: string | undefined
}

/** Production, sandbox, then the platform's endpoints, without repeats; a query or fragment is added to `omissions`. */
export function addresses({ version }: Described, omissions: Omission[]): Address[] {
  const found = new Map<string, Address>()
  const add = (uri: string | null | undefined, label: string | undefined) => {
    if (!uri) return
    const place = placeOf(uri)
    if (!found.has(place.url)) found.set(place.url, { label, ...place })
    if (/[?#]/.test(uri)) omissions.push({ reason: `the query or fragment of the endpoint ${uri}` })
  }
  add(version.ProductionEndpoint, 'Production')
  add(version.SandboxEndpoint, 'Sandbox')
  for (const { Uri, Category, CName } of version.Endpoints.Endpoint) add(Uri, Category || CName || undefined)
  return [...found.values()]
}

const placeOf = remembering((uri): Place => {
  const { protocol, host: hostGiven, pathname } = new URL(uri)
  const clean = (text: string) => text.replace(/[{}|^]/g, encodeURIComponent)
  const host = clean(hostGiven)
  const basePath = clean(pathname).replace(/\/$/, '')
  return { url: `${protocol}//${host}${basePath}`, scheme: protocol.slice(0, -1), host, basePath }
})

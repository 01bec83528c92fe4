import { type Answer, type Client, createClient } from '../client.ts'

/** What a browser has come to. */
export interface Page extends Answer {
  /** Its address. */
  at: URL
}

/** A browser without a screen: it keeps the cookies of each origin, and follows redirects as far as it is told. */
export interface Browser {
  /** One request. */
  open: (address: string | URL) => Promise<Page>
  /** Follows redirects, up to the first that leads where `stop` says. */
  visit: (address: string | URL, stop?: (next: URL) => boolean) => Promise<Page>
  /** What it keeps of an origin. */
  client: (origin: string) => Client
}

const mostRedirects = 20

export function createBrowser(): Browser {
  const clients = new Map<string, Client>()

  function client(origin: string): Client {
    const known = clients.get(origin) ?? createClient(origin)
    clients.set(origin, known)
    return known
  }

  async function open(address: string | URL): Promise<Page> {
    const at = new URL(address)
    const { cookies, get } = client(at.origin)
    const answer = await get(at.pathname + at.search)
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return Object.assign(answer, { at })
  }

  async function visit(address: string | URL, stop: (next: URL) => boolean = () => false): Promise<Page> {
    let page = await open(address)
    for (let redirects = 0; page.headers.location; redirects++) {
      const next = new URL(page.headers.location, page.at)
      if (stop(next)) return page
      if (redirects === mostRedirects) throw new Error(`too many redirects, the last one to ${next.href}`)
      page = await open(next)
    }
    return page
  }

  return { open, visit, client }
}

import type { Answer, Client } from './client.ts'

/** The address of the next page, from the answer's Link header. */
export function nextPage({ headers }: Answer): string | undefined {
  return /<([^>]*)>; rel="next"(?:, |$)/.exec(String(headers.link ?? ''))?.[1]
}

/** Reads a list to its end; `between` runs after each page. */
export async function everyPage(client: Client, path: string, between = async () => {}): Promise<Answer[]> {
  const pages: Answer[] = []
  for (let next: string | undefined = path; next; next = nextPage(pages.at(-1) as Answer)) {
    const page = await client.get(next)
    if (page.status !== 200) throw new Error(`${next}: ${page.text}`)
    pages.push(page)
    await between()
  }
  return pages
}

/** The items of a list's pages. */
export function itemsOf(pages: Answer[]) {
  return pages.flatMap(({ json }) => json.channel.item)
}

/** The ids of all items of a list, in its order. */
export async function idsOf(client: Client, path: string): Promise<string[]> {
  return itemsOf(await everyPage(client, path)).map(({ guid }) => guid.value)
}

/** The titles of all items of a list, in its order. */
export async function titlesOf(client: Client, path: string): Promise<string[]> {
  return itemsOf(await everyPage(client, path)).map(({ title }) => title)
}

/** Adds an API with one version; throws unless it is added. */
export async function addApi(client: Client, api: Record<string, unknown>, version: Record<string, unknown> = {}) {
  const added = await client.post('/api/apis', {
    Visibility: 'Public',
    ...api,
    APIVersion: { Name: '1.0', ...version },
  })
  if (added.status !== 200) throw new Error(`could not add an API: ${added.text}`)
  return added.json
}

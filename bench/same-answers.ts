import { send } from './client.ts'
import type { Operation } from './operation.ts'
import type { Site } from './site.ts'

/**
 * Makes sure that the floor does the same work before it is compared with.
 * @throws Error when it answers otherwise than the service, but for what differs from one request to the next.
 */
export async function requireSameAnswers({ name, load }: Operation, site: Site): Promise<void> {
  const answers = []
  for (const { url } of [site.service, site.floor]) {
    const { method, paths, headers, body } = load(site)
    const path = paths[0] as string
    answers.push(masked(await send(url, { method, path, headers, ...(body && { body: body() }) })))
  }
  const [service = '', floor = ''] = answers
  if (service === floor) return
  const place = [...service].findIndex((character, index) => character !== floor[index])
  const near = (text: string) => text.slice(Math.max(0, place - 40), place + 80)
  throw new Error(`"${name}" is not what the floor does: the service answers ...${near(service)}...
and the floor ...${near(floor)}...`)
}

function masked(answer: string): string {
  return answer
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
    .replace(/added.\d{7}/g, 'NAME')
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
}

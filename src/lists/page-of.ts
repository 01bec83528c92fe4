import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyRing } from '../access/keys.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { type ReadPart, readPage } from './page.ts'
import { invalidParameter, usualRows } from './parameters.ts'
import type { Place } from './sort.ts'

interface PageParameters {
  start?: number
  count?: number
  cursor?: string
}

const places = ['start', 'count', 'cursor']

/**
 * The rows of the page that a request asks for, `usual` of them at most unless it says how many, from the sections of its
 * list, each of which begins at `first`. Names the next page, if there is one, in the answer's Link header.
 * @throws Malformed
 */
export async function pageOf<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  keys: KeyRing,
  first: Place,
  sections: readonly ReadPart<Row>[],
  usual = usualRows,
): Promise<Row[]> {
  const query = request.query as PageParameters
  const { start = 0, count = usual } = query
  const [path] = request.url.split('?', 1)
  const parameters = filtersOf(query)
  const list = `${path}?${parameters}`
  if (query.cursor && start > 0) throw invalidParameter('start', 'and /cursor exclude each other')

  const position = query.cursor ? readCursor(query.cursor, list, keys) : { section: 0, place: first, skip: start }
  const { rows, next } = await readPage(sections, first, position, count)
  if (next) {
    if (query.count !== undefined) parameters.set('count', String(count))
    parameters.set('cursor', writeCursor(next, list, keys))
    reply.header('link', `<${path}?${parameters}>; rel="next"`)
  }
  return rows
}

/** The parameters that say which list it is, whatever page of it. */
function filtersOf(query: object): URLSearchParams {
  const filters = Object.entries(query).filter(([name, value]) => value !== undefined && !places.includes(name))
  const parameters = new URLSearchParams(filters.map(([name, value]): [string, string] => [name, String(value)]))
  parameters.sort()
  return parameters
}

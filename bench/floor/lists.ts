import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { json } from './answers.ts'

// All APIs here are public, and the caller reads everything.
const shown = `a.id, a.name, a.description, a.created, v.id as version_id, v.name as version_name, v.state`
const rowsOfPage = 20

const newest = `select ${shown} from api a join api_version v on v.id = a.latest_version_id
  where a.visibility = 'Public' order by a.created desc, a.id desc limit ${rowsOfPage}`

const found = `select ${shown} from (
    select id from api where visibility = 'Public' and search @@ $1::tsquery
    union select api_id from api_version where listing = 'Public' and search @@ $2::tsquery) f
  join api a on a.id = f.id join api_version v on v.id = a.latest_version_id
  order by a.sort_name = $3 desc, a.search @@ $4::tsquery desc, a.created desc, a.id desc limit ${rowsOfPage}`

/** The first page of the list of APIs, and search, each with one statement. */
export function lists(app: FastifyInstance, pool: Pool): void {
  app.get('/api/apis', async ({ headers }, reply) => {
    const { rows } = await pool.query({ name: 'list', text: newest })
    return reply.type(json).send(channel('APIs', rows, headers.host as string))
  })

  app.get<{ Querystring: { q: string } }>('/api/search', async ({ query: { q }, headers }, reply) => {
    const words = q.toLowerCase().split(' ')
    const inName = words.map((word) => `'=${word}':*`).join(' & ')
    const inApi = words.map((word) => `('=${word}':* | '${word}':*)`).join(' & ')
    const inVersion = words.map((word) => `'${word}':*`).join(' & ')
    const { rows } = await pool.query({
      name: 'find',
      text: found,
      values: [inApi, inVersion, q.toLowerCase(), inName],
    })
    return reply.type(json).send(channel('Search', rows, headers.host as string))
  })
}

interface Row {
  id: string
  name: string
  description: string
  created: Date
  version_id: string
  version_name: string
  state: string
}

function channel(title: string, rows: Row[], host: string): string {
  const item = rows.map((row) => ({
    title: row.name,
    description: row.description,
    category: [
      { value: 'Public', domain: 'uddi:platform.com:visibility' },
      { value: 'api', domain: 'uddi:platform.com:resourcetype' },
      { value: row.state, domain: 'uddi:platform.com:state' },
    ],
    guid: { value: `${row.id}.platform` },
    pubDate: row.created.toUTCString(),
    link: `http://${host}/api/apis/${row.id}.platform`,
    EntityReference: { Title: `${row.name} (${row.version_name})`, Guid: `${row.version_id}.platform` },
  }))
  return JSON.stringify({ channel: { title, item }, version: '1.0' })
}

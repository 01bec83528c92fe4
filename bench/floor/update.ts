import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { json, stored } from './answers.ts'
import { type Body, complete } from './document.ts'

interface Change {
  Description: string
  Visibility: string
  Tag: string[]
  APIVersion: Body
}

const lock = `select a.name, a.admin_group_id, a.created, a.revision, v.id as version_id, v.name as version_name,
    v.created as version_created, v.doc->>'Visibility' as visibility, v.state,
    date_trunc('milliseconds', now()) as now
  from api a join api_version v on v.id = a.latest_version_id where a.id = $1 for update`
const changeApi = `update api set description = $2, visibility = $3, tags = $4, updated = $5, revision = revision + 1
  where id = $1`
const changeVersion = `update api_version set updated = $2, doc = $3, search = $4, revision = revision + 1 where id = $1`

/** The update of an API with its latest version: one transaction that locks both rows and writes both. */
export function update(app: FastifyInstance, pool: Pool, words: string): void {
  app.put<{ Params: { id: string }; Body: Change }>('/api/apis/:id', async ({ params, body }, reply) => {
    const id = stored(params.id)
    const { Description, Visibility, Tag, APIVersion } = body
    const client = await pool.connect()
    await client.query('begin')
    const { rows } = await client.query({ name: 'lock', text: lock, values: [id] })
    const [row] = rows
    const now = row.now.toISOString()
    const whole = { ...APIVersion, Name: row.version_name, Visibility: row.visibility, State: row.state }
    const version = {
      ...complete(whole, { id: row.version_id, apiId: id, apiName: row.name, now }),
      Created: row.version_created.toISOString(),
    }
    const values = [id, Description, Visibility, Tag, row.now]
    await client.query({ name: 'change api', text: changeApi, values })
    await client.query({
      name: 'change version',
      text: changeVersion,
      values: [row.version_id, row.now, JSON.stringify(version), words],
    })
    await client.query('commit')
    client.release()
    return reply.type(json).send(
      JSON.stringify({
        APIID: `${id}.platform`,
        Name: row.name,
        Description,
        Visibility,
        LatestVersionID: `${row.version_id}.platform`,
        Tag,
        IsFollowed: false,
        RatingSummary: { Five: 0, Four: 0, Three: 0, Two: 0, One: 0 },
        APIVersion: version,
        AdminGroupID: `${row.admin_group_id}.platform`,
        Created: row.created.toISOString(),
        Updated: now,
      }),
    )
  })
}

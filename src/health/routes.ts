import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { anyone } from '../access/rules.ts'
import { schemaVersion } from '../database/migrate.ts'
import { Unavailable } from '../fault.ts'
import type { Services } from '../services.ts'

const Health = Type.Object({ status: Type.String() }, { title: 'Health' })
const config = { access: anyone, media: { json: [] } }

const tags = ['Health']

/** Probes for whoever runs the process. */
export const health: FastifyPluginAsyncTypebox<Services> = async (app, { db }) => {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })

  app.get(
    '/livez',
    {
      config,
      schema: { operationId: 'isAlive', tags, summary: 'Whether the process answers', response: { 200: Health } },
    },
    async () => ({ status: 'ok' }),
  )

  app.get(
    '/readyz',
    {
      config,
      schema: {
        operationId: 'isReady',
        tags,
        summary: 'Whether the database answers and has the schema',
        response: { 200: Health },
      },
    },
    async () => {
      if (stopping) throw new Unavailable('The service is about to stop.')
      const { rows } = await sql<{ version: number }>`select max(version) as version from schema_migration`.execute(db)
      if (rows[0]?.version !== schemaVersion) throw new Unavailable('The database has another schema version.')
      return { status: 'ok' }
    },
  )
}

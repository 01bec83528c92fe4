import { randomUUID } from 'node:crypto'
import { XMLParser } from 'fast-xml-parser'
import Fastify from 'fastify'
import pg from 'pg'
import { json, loginStatus, stored } from './answers.ts'
import { type Body, complete } from './document.ts'
import { lists } from './lists.ts'
import { signIn } from './sign-in.ts'
import { update } from './update.ts'
import { repeated, xmlOf } from './xml.ts'

// The least that a program must do for the same answers from the same rows: no checks, no log, no faults, no permissions.

const { DATABASE_URL, PORT, FLOOR_USER, FLOOR_DOMAINS } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
pool.on('error', () => {})
// What search finds is the same for all versions here: PostgreSQL stores and indexes it, nobody makes it.
const { words } = (await pool.query('select search::text as words from api_version limit 1')).rows[0]

const xml = 'application/xml; charset=utf-8'

const app = Fastify()
const parser = new XMLParser({ parseTagValue: false, isArray: (name) => repeated.has(name) })
app.removeAllContentTypeParsers()
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) =>
  done(null, JSON.parse(text as string)),
)
app.addContentTypeParser('application/xml', { parseAs: 'string' }, (_request, text, done) =>
  done(null, parser.parse(text as string, true).APIVersion),
)

app.get('/readyz', () => 'ok')

app.get<{ Params: { id: string } }>('/api/apis/versions/:id', async (request, reply) => {
  const text = 'select doc::text from api_version where id = $1'
  const { rows } = await pool.query({ name: 'read', text, values: [stored(request.params.id)] })
  return request.headers.accept === 'application/xml'
    ? reply.type(xml).send(xmlOf('APIVersion', JSON.parse(rows[0].doc)))
    : reply.type(json).send(rows[0].doc)
})

app.post<{ Params: { id: string }; Body: Body }>('/api/apis/:id/versions', async (request, reply) => {
  const document = await add(stored(request.params.id), request.body)
  return request.headers.accept === 'application/xml'
    ? reply.type(xml).send(xmlOf('APIVersion', document.value))
    : reply.type(json).send(document.text)
})

async function add(apiId: string, body: Body): Promise<{ value: object; text: string }> {
  const id = randomUUID()
  const client = await pool.connect()
  await client.query('begin')
  const { rows } = await client.query({
    name: 'point',
    text: `update api set latest_version_id = $2, updated = date_trunc('milliseconds', now()) where id = $1
      returning name, visibility, admin_group_id, updated as now`,
    values: [apiId, id],
  })
  const { name, visibility, admin_group_id, now } = rows[0]
  const value = complete(body, { id, apiId, apiName: name, now: now.toISOString() })
  const text = JSON.stringify(value)
  await client.query({
    name: 'add',
    text: `insert into api_version
        (id, api_id, name, visibility, state, created, updated, doc, api_visibility, admin_group_id, search)
      values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10)`,
    values: [id, apiId, body.Name, body.Visibility, body.State, now, text, visibility, admin_group_id, words],
  })
  await client.query('commit')
  client.release()
  return { value, text }
}

app.get('/api/login/domains', (_request, reply) => {
  reply.type(json).send(FLOOR_DOMAINS)
})

app.get('/api/login/status', async (_request, reply) => {
  const text = 'select id, user_name, domain_id from app_user where id = $1'
  const { rows } = await pool.query({ name: 'status', text, values: [FLOOR_USER] })
  return reply.type(json).send(loginStatus(rows[0], '2100-01-01T00:00:00.000Z'))
})

lists(app, pool)
update(app, pool, words)
signIn(app, pool)

await app.listen({ host: '127.0.0.1', port: Number(PORT) })
process.on('SIGTERM', () => app.close().then(() => pool.end()))

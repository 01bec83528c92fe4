import { expect, test } from 'vitest'
import { exampleApi } from '../support/examples.ts'
import { sendPicture } from '../support/form.ts'
import { describedBy } from '../support/own-description.ts'
import { pictures } from '../support/pictures.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const document = await describedBy(service.app)
const admin = await service.siteAdmin()
const someone = await service.person()
const adminId = (await admin.get('/api/login/status')).json.userFDN

const examples = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { requestBody }]) =>
    Object.entries(requestBody?.content ?? {}).flatMap(([type, { examples: given = {} }]) =>
      Object.entries(given).map(([name, { value }]) => ({ method: method.toUpperCase(), path, type, name, value })),
    ),
  ),
)

test('every operation with a body has an example, but those that take a file', () => {
  const bare = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(
        ([, { requestBody }]) => requestBody && !Object.values(requestBody.content).some(({ examples }) => examples),
      )
      .map(([method]) => `${method} ${path}`),
  )
  expect(bare).toEqual(['post /api/dropbox/readfiledetails', 'post /api/dropbox/pictures'])
})

test.each(examples)('$method $path takes the example $name as $type', async ({ method, path, type, name, value }) => {
  if (name === 'user') await forgetUser(value as { Email: string })
  const answer = await send(method, path, { type, value })
  expect(answer.status, answer.text).toBe(200)
})

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([verb, operation]) => ({ method: verb.toUpperCase(), path, operation })),
)
const takes = (header: string) =>
  operations.filter(({ operation }) => operation.parameters?.some(({ name }) => name === header))
const exampleOf = (method: string, path: string) =>
  examples.find((example) => example.method === method && example.path === path)

test.each(takes('If-Match'))('$method $path looks at If-Match', async ({ method, path }) => {
  expect((await send(method, path, exampleOf(method, path), { 'if-match': '"0/none"' })).status).toBe(412)
})

test.each(takes('If-None-Match'))('GET $path looks at If-None-Match', async ({ path }) => {
  const address = fill(path, await things())
  if (path.endsWith('/avatar')) await givePicture(address.replace('/avatar', ''))
  const { etag = '' } = (await admin.get(address)).headers
  expect((await admin.get(address, { 'if-none-match': etag })).status).toBe(304)
})

test.each(takes('Idempotency-Key'))('$method $path looks at Idempotency-Key', async ({ method, path }) => {
  const { status, text } = await send(method, path, exampleOf(method, path), { 'idempotency-key': 'x'.repeat(256) })
  expect([status, text]).toEqual([400, expect.stringContaining('Idempotency-Key')])
})

async function send(method: string, path: string, body?: { type: string; value: unknown }, headers = {}) {
  const ids = { ...(await things()), ...(path.includes('/ratings/') && { UserID: adminId }) }
  const client = path === '/api/login' ? service.client() : admin
  return client.send(method, fill(path, ids), {
    headers: { ...(body && { 'content-type': body.type }), ...headers },
    body: body && filledBody(body.value, ids),
  })
}

/** Ids of things that exist, under the names that parameters and members have. */
async function things(): Promise<Record<string, string>> {
  const { APIID, LatestVersionID, AdminGroupID } = (await admin.post('/api/apis', exampleApi())).json
  const version = { APIVersionID: LatestVersionID, SourceAPIVersionID: LatestVersionID }
  return { APIID, ...version, GroupID: AdminGroupID, UserID: someone.id }
}

function fill(path: string, ids: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_all, parameter) => ids[parameter] as string)
}

/** An example names things by ids that no service has. */
function filledBody(value: unknown, ids: Record<string, string>): string {
  return typeof value === 'string' ? value : JSON.stringify(value, (key, member) => ids[key] ?? member)
}

async function givePicture(api: string): Promise<void> {
  const { PictureID } = (await sendPicture(admin, pictures['image/png'])).json
  await admin.send('PUT', api, { body: { PictureID } })
}

async function forgetUser({ Email }: { Email: string }): Promise<void> {
  await service.db.deleteFrom('app_user').where('email', '=', Email).execute()
}

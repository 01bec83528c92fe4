import { expect, test } from 'vitest'
import type { Answer } from '../support/client.ts'
import { startDirectory } from '../support/directory/directory.ts'
import { addDirectoryDomain } from '../support/directory/domain.ts'
import { passwordOf } from '../support/directory/seeds.ts'
import { exampleApi } from '../support/examples.ts'
import { sendPicture } from '../support/form.ts'
import { directoryBody } from '../support/login-domains.ts'
import { describedBy } from '../support/own-description.ts'
import { pictures } from '../support/pictures.ts'
import { startService } from '../support/service.ts'
import { exampleWorkflow, named, putWorkflow } from '../support/workflow.ts'

const service = await startService()
const document = await describedBy(service.app)
const admin = await service.siteAdmin()
const someone = await service.person()
const directory = await startDirectory('ldapjs')
const staff = await addDirectoryDomain(service, { settings: { Url: `ldap://127.0.0.1:${directory.port}` } })
await service.db.updateTable('login_domain').set({ serves_oauth: true }).where('id', '=', staff).execute()
const adminId = (await admin.get('/api/login/status')).json.userFDN

const examples = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { requestBody }]) =>
    Object.entries(requestBody?.content ?? {}).flatMap(([type, { examples: given = {} }]) =>
      Object.entries(given).map(([name, { value }]) => ({ method: method.toUpperCase(), path, type, name, value })),
    ),
  ),
)

test('every operation with a body has an example, but those that take a file or a picture', () => {
  const bare = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(
        ([, { requestBody }]) => requestBody && !Object.values(requestBody.content).some(({ examples }) => examples),
      )
      .map(([method]) => `${method} ${path}`),
  )
  expect(bare).toEqual([
    'put /api/login/domains/{LoginDomainID}/logo',
    'post /api/dropbox/readfiledetails',
    'post /api/dropbox/pictures',
  ])
})

test.each(examples)('$method $path takes the example $name as $type', async ({ method, path, type, name, value }) => {
  if (name === 'user') await forgetUser(value as { Email: string })
  if (/^login-domain-(directory|provider)$/.test(name)) await forgetDomain(value as { DomainName: string })
  const answer = await send(method, path, { type, value })
  expect(answer.status, answer.text).toBe(path === '/oauth/login/ssoLogin' ? 302 : 200)
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
  if (path.startsWith('/api/workflows')) await reviewVersions()
  if (path.endsWith('/avatar')) await givePicture(address.replace('/avatar', ''))
  if (path.endsWith('/logo')) await giveLogo(address)
  const { etag = '' } = (await admin.get(address)).headers
  expect((await admin.get(address, { 'if-none-match': etag })).status).toBe(304)
})

test.each(takes('Idempotency-Key'))('$method $path looks at Idempotency-Key', async ({ method, path }) => {
  const { status, text } = await send(method, path, exampleOf(method, path), { 'idempotency-key': 'x'.repeat(256) })
  expect([status, text]).toEqual([400, expect.stringContaining('Idempotency-Key')])
})

async function send(method: string, path: string, body?: { type: string; value: unknown }, headers = {}) {
  await haveNoWorkflow()
  if (path.startsWith('/api/workflows') || /\/actions?$/.test(path)) await reviewVersions()
  const ids = {
    ...(await things()),
    ...(path.includes('/ratings/') && { UserID: adminId }),
    ...(path === '/oauth/login' && { identity_email: someone.email, secret_password: someone.password }),
  }
  const client = path === '/api/login' ? service.client() : path.endsWith('/password') ? someone.client : admin
  return client.send(method, fill(path, ids), {
    headers: { ...(body && { 'content-type': body.type }), ...headers },
    body: body && filledBody(body, ids),
  })
}

/** Ids of things that exist, under the names that parameters and members have. */
async function things(): Promise<Record<string, string>> {
  const { APIID, LatestVersionID, AdminGroupID } = await added('/api/apis', exampleApi())
  const version = { APIVersionID: LatestVersionID, ObjectID: LatestVersionID, SourceAPIVersionID: LatestVersionID }
  const { LoginDomainID } = await added('/api/login/domains', directoryBody())
  return {
    APIID,
    ...version,
    GroupID: AdminGroupID,
    UserID: someone.id,
    LoginDomainID,
    OldPassword: someone.password,
    NewPassword: someone.password,
    Domain: staff,
    domain: staff,
    identity_username: 'alice',
    secret_password: passwordOf('alice'),
  }
}

async function added(path: string, body: object): Promise<Answer['json']> {
  const { status, text, json } = await admin.post(path, body)
  expect(status, text).toBe(200)
  return json
}

function fill(path: string, ids: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_all, parameter) => ids[parameter] as string)
}

/** An example names things by ids that no service has. */
function filledBody({ type, value }: { type: string; value: unknown }, ids: Record<string, string>): string {
  if (typeof value === 'string') return value
  const filled = JSON.stringify(value, (key, member) =>
    key in ids && Array.isArray(member) ? [ids[key]] : (ids[key] ?? member),
  )
  return type === 'application/x-www-form-urlencoded' ? String(new URLSearchParams(JSON.parse(filled))) : filled
}

/** Has every version in the open state, whatever happened to it. */
async function haveNoWorkflow(): Promise<void> {
  await service.db
    .updateTable('api_version')
    .set({ state: named('open'), listed: true, changeable: true })
    .execute()
  await service.db
    .updateTable('workflow')
    .set(({ eb }) => ({ document: null, initial: null, revision: eb('revision', '+', 1) }))
    .execute()
}

async function reviewVersions(): Promise<void> {
  await putWorkflow(admin, exampleWorkflow('review'))
}

async function giveLogo(logo: string): Promise<void> {
  await admin.send('PUT', logo, { body: pictures['image/png'], headers: { 'content-type': 'image/png' } })
}

async function forgetDomain({ DomainName }: { DomainName: string }): Promise<void> {
  await service.db.deleteFrom('login_domain').where('domain_name', '=', DomainName).execute()
}

async function givePicture(api: string): Promise<void> {
  const { PictureID } = (await sendPicture(admin, pictures['image/png'])).json
  await admin.send('PUT', api, { body: { PictureID } })
}

async function forgetUser({ Email }: { Email: string }): Promise<void> {
  await service.db.deleteFrom('app_user').where('email', '=', Email).execute()
}

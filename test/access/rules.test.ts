import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { exampleApi } from '../support/examples.ts'
import { fixture } from '../support/fixtures.ts'
import { formOf, formType, sendPicture } from '../support/form.ts'
import { directoryBody } from '../support/login-domains.ts'
import { pictures } from '../support/pictures.ts'
import { adminEmail, adminPassword, startService } from '../support/service.ts'
import { putWorkflow, workflowOf } from '../support/workflow.ts'

const service = await startService()

/** Every operation of the running service: the methods that each path of its router allows. */
async function operations(): Promise<string[]> {
  const found: string[] = []
  for (const path of paths(service.app.printRoutes())) {
    const { allow = '' } = (await service.client().send('OPTIONS', path)).headers
    const methods = allow.split(', ').filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
    found.push(...methods.map((method) => `${method} ${path}`))
  }
  return found
}

/** The paths of the router's tree, where each line holds the rest of the path of the line that it hangs from. */
function paths(tree: string): string[] {
  const parts: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part, methods] = /^((?:│ {3}| {4})*)[├└]── (\S+)( \(.*\))?$/.exec(line) ?? []
    if (!part) return []
    parts.splice(indent.length / 4, Number.POSITIVE_INFINITY, part)
    return methods ? [parts.join('')] : []
  })
}

const people = {
  'a plain user': await service.person(),
  'an API Admin': await service.person(),
  'a Business Admin': await service.person('BusinessAdmin'),
  'a Site Admin': await service.person('SiteAdmin'),
}
const rolesOf: Record<string, string[]> = { 'a Business Admin': ['BusinessAdmin'], 'a Site Admin': ['SiteAdmin'] }
const owner = await service.siteAdmin()
const target = await service.person()

const identities = ['nobody', ...(Object.keys(people) as (keyof typeof people)[])] as const
type Identity = (typeof identities)[number]

/** A Limited API with the one API Admin, and ids for every path. */
async function ids(): Promise<Record<string, string>> {
  const api = (await owner.post('/api/apis', { ...exampleApi(), Visibility: 'Limited' })).json
  await owner.post(`/api/groups/${api.AdminGroupID}/members`, { UserID: people['an API Admin'].id })
  const { APIID, LatestVersionID: APIVersionID, AdminGroupID: GroupID } = api
  return {
    APIID,
    APIVersionID,
    ObjectID: APIVersionID,
    GroupID,
    UserID: target.id,
    LoginDomainID: 'siteusers.platform',
    SessionID: '00000000-0000-4000-8000-000000000000',
    Role: 'BusinessAdmin',
    Domain: 'none',
    Specification: 'swagger',
    '*': 'pets',
  }
}

async function signedIn(identity: Identity): Promise<Client> {
  const client = service.client()
  if (identity !== 'nobody') await client.signIn(people[identity].email, people[identity].password)
  return client
}

const clients = new Map<Identity, Client>()
for (const identity of identities) clients.set(identity, await signedIn(identity))
const shared = await ids()
const logo = Buffer.from('GIF89a and more')
const image = { body: logo, headers: { 'content-type': 'image/gif' } }
await owner.send('PUT', '/api/login/domains/siteusers.platform/logo', image)

interface Expected {
  /** With its question mark. */
  query?: string
  /** In the order of the identities. */
  statuses: number[]
  body?: () => unknown
  headers?: Record<string, string>
  /** What has to be there for the operation to succeed, made anew for each request. */
  prepare?: () => Promise<Record<string, string>>
  /** Takes no CSRF header. */
  exempt?: true
  /** Changes the state of a session, or may: has no HEAD. */
  endsSession?: true
  /** What a refusal says, where the cookie is another one. */
  says?: string
  endsEverySession?: true
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }
let made = 0
const all = (status: number) => Array<number>(identities.length).fill(status)
const signedInOnly = [401, 200, 200, 200, 200]
const admins = [401, 401, 200, 200, 200]
const businessAdmins = [401, 401, 401, 200, 200]
const siteAdmins = [401, 401, 401, 401, 200]

async function newDomain(): Promise<Record<string, string>> {
  return { ...shared, LoginDomainID: (await owner.post('/api/login/domains', directoryBody())).json.LoginDomainID }
}

async function withMember(): Promise<Record<string, string>> {
  await owner.post(`/api/groups/${shared.GroupID}/members`, { UserID: target.id })
  return shared
}

const workflow = workflowOf('open', ['open', 'closed'], [['Touch: open > open'], ['Close: open > closed']])

async function withWorkflow(): Promise<Record<string, string>> {
  await putWorkflow(owner, workflow)
  return shared
}

async function withPicture(): Promise<Record<string, string>> {
  const { PictureID } = (await sendPicture(owner, pictures['image/png'])).json
  await owner.send('PUT', `/api/apis/${shared.APIID}`, { body: { PictureID } })
  return shared
}

async function withDeprecation(): Promise<Record<string, string>> {
  await owner.send('PUT', `/api/apis/versions/${shared.APIVersionID}/deprecation`, { body: {} })
  return shared
}

/** What each operation answers each identity, on a Limited API and another person. */
const expected: Record<string, Expected> = {
  'GET /openapi.json': { statuses: all(200) },
  'GET /openapi.yaml': { statuses: all(200) },
  'GET /docs': { statuses: all(200) },
  'GET /livez': { statuses: all(200) },
  'GET /readyz': { statuses: all(200) },
  'POST /api/login': {
    statuses: all(200),
    body: () => ({ email: adminEmail, password: adminPassword }),
    exempt: true,
  },
  'GET /api/login/status': { statuses: signedInOnly },
  'POST /api/login/renewToken': { statuses: signedInOnly },
  'POST /api/login/logout': { statuses: all(200), exempt: true, endsSession: true },
  'GET /api/login/endsession': { statuses: all(200), endsSession: true },
  'GET /api/login/domains': { statuses: all(200) },
  // Whether somebody may sign in there is for the domain to say; here it is not named.
  'GET /api/login/ssoLogin': { statuses: all(400), endsSession: true },
  'GET /api/login/ssoLogin/:Domain': { statuses: all(404), endsSession: true },
  'POST /api/login/ssoLogin': { statuses: all(404), exempt: true, body: () => 'domain=none', headers: form },
  'POST /api/login/ssoLogin/:Domain': { statuses: all(404), exempt: true, body: () => 'finalUrl=%2F', headers: form },
  'GET /api/login/ssoLoginInstructions': { statuses: all(404), query: '?domain=none' },
  'GET /api/login/signedIn': { statuses: signedInOnly },
  'GET /oauth/login': { statuses: all(200) },
  'GET /oauth/login/': { statuses: all(200) },
  'POST /oauth/login': {
    statuses: all(200),
    body: () => String(new URLSearchParams({ identity_email: adminEmail, secret_password: adminPassword })),
    headers: form,
    exempt: true,
  },
  'GET /oauth/login/logout': { statuses: all(200), endsSession: true },
  'GET /oauth/login/renewToken': { statuses: all(401), endsSession: true, says: 'You are not signed in' },
  'POST /oauth/login/renewToken': { statuses: all(401), exempt: true, says: 'You are not signed in' },
  'GET /oauth/login/ssoLogin': { statuses: all(400), endsSession: true },
  'GET /oauth/login/ssoLogin/:Domain': { statuses: all(404), endsSession: true },
  'POST /oauth/login/ssoLogin': { statuses: all(400), exempt: true, body: () => '', headers: form },
  'POST /api/login/domains': { statuses: siteAdmins, body: () => directoryBody() },
  'GET /api/login/domains/:LoginDomainID': { statuses: siteAdmins },
  'PUT /api/login/domains/:LoginDomainID': { statuses: siteAdmins, body: () => ({ Title: 'Site Users' }) },
  'PUT /api/login/domains/sequence': { statuses: siteAdmins, body: () => ({ LoginDomainID: [] }) },
  'DELETE /api/login/domains/:LoginDomainID': { statuses: siteAdmins, prepare: newDomain },
  'GET /api/login/domains/:LoginDomainID/logo': { statuses: all(200) },
  'PUT /api/login/domains/:LoginDomainID/logo': {
    statuses: siteAdmins,
    body: () => logo,
    headers: { 'content-type': 'image/gif' },
  },
  'DELETE /api/login/domains/:LoginDomainID/logo': { statuses: siteAdmins, prepare: newDomain },
  'POST /api/login/domains/:LoginDomainID/test': { statuses: siteAdmins, prepare: newDomain },
  'GET /api/login/sessions': { statuses: signedInOnly },
  'DELETE /api/login/sessions': { statuses: signedInOnly, endsEverySession: true },
  'DELETE /api/login/sessions/:SessionID': {
    // Only one's own can be ended, and nobody's is named.
    statuses: [401, 404, 404, 404, 404],
  },
  'GET /api/users': { statuses: siteAdmins },
  'PUT /api/users/:UserID': { statuses: siteAdmins, body: () => ({ Enabled: true }) },
  'PUT /api/users/:UserID/password': {
    statuses: all(401),
    body: () => ({ OldPassword: 'the present one', NewPassword: 'another one' }),
  },
  'GET /api/users/:UserID/sessions': { statuses: siteAdmins },
  'DELETE /api/users/:UserID/sessions': { statuses: siteAdmins },
  'DELETE /api/users/:UserID/sessions/:SessionID': { statuses: [401, 401, 401, 401, 404] },
  'POST /api/users': {
    statuses: siteAdmins,
    body: () => ({ Email: `matrix${++made}@example.com`, Password: 'a good password' }),
  },
  'GET /api/users/:UserID': { statuses: siteAdmins },
  'GET /api/users/:UserID/logindomain': { statuses: siteAdmins },
  'PUT /api/users/:UserID/roles/:Role': { statuses: siteAdmins },
  'DELETE /api/users/:UserID/roles/:Role': { statuses: siteAdmins },
  'POST /api/groups/:GroupID/members': { statuses: admins, body: () => ({ UserID: target.id }) },
  'DELETE /api/groups/:GroupID/members/:UserID': { statuses: admins, prepare: withMember },
  'GET /api/apis': { statuses: all(200) },
  'GET /api/apis/versions': { statuses: all(200) },
  'GET /api/apis/:APIID/versions': { statuses: admins },
  'GET /api/search': { statuses: all(200), query: '?q=pet' },
  'GET /api/apis/:APIID': { statuses: admins },
  'POST /api/apis': { statuses: businessAdmins, body: exampleApi },
  'PUT /api/apis/:APIID': { statuses: admins, body: () => ({ Description: 'changed' }) },
  'DELETE /api/apis/:APIID': { statuses: admins, prepare: ids },
  'GET /api/apis/versions/:APIVersionID': { statuses: admins },
  'POST /api/apis/:APIID/versions': { statuses: admins, body: () => ({ Name: `matrix ${++made}` }) },
  'PUT /api/apis/versions/:APIVersionID': { statuses: admins, body: () => ({ Name: `matrix ${++made}` }) },
  'PUT /api/apis/versions/:APIVersionID/info': { statuses: admins, body: () => ({ VersionNotes: 'changed' }) },
  'DELETE /api/apis/versions/:APIVersionID': { statuses: admins, prepare: ids },
  'GET /api/apis/versions/:APIVersionID/swagger/*': { statuses: admins },
  'GET /api/apis/versions/:APIVersionID/definition/:Specification': { statuses: admins },
  'PUT /api/apis/versions/:APIVersionID/ratings/:UserID': { statuses: all(401), body: () => ({ Rating: 4 }) },
  'DELETE /api/apis/versions/:APIVersionID/ratings/:UserID': { statuses: all(401) },
  'GET /api/apis/versions/:APIVersionID/history': { statuses: admins },
  'POST /api/workflows/check': { statuses: signedInOnly, body: () => workflow },
  'GET /api/workflows/apiversion': { statuses: siteAdmins, prepare: withWorkflow },
  'PUT /api/workflows/apiversion': { statuses: siteAdmins, body: () => workflow },
  'DELETE /api/workflows/apiversion': { statuses: siteAdmins, prepare: withWorkflow },
  'GET /api/workflow/objects/:ObjectID/actions': { statuses: admins },
  'POST /api/workflow/objects/:ObjectID/actions': {
    statuses: admins,
    body: () => ({ ActionName: 'Touch' }),
    prepare: withWorkflow,
  },
  'POST /api/apis/versions/:APIVersionID/action': {
    statuses: admins,
    body: () => ({ ActionName: 'Touch' }),
    prepare: withWorkflow,
  },
  'POST /api/apis/:APIID/follow': { statuses: admins },
  'DELETE /api/apis/:APIID/follow': { statuses: admins },
  'GET /api/apis/:APIID/avatar': { statuses: admins, prepare: withPicture },
  'GET /api/apis/versions/:APIVersionID/deprecation': { statuses: admins, prepare: withDeprecation },
  'PUT /api/apis/versions/:APIVersionID/deprecation': { statuses: admins, body: () => ({}) },
  'DELETE /api/apis/versions/:APIVersionID/deprecation': { statuses: admins, prepare: withDeprecation },
  'GET /api/apis/versions/:APIVersionID/consumers': { statuses: admins },
  'GET /api/deprecations': { statuses: all(200) },
  'GET /api/policies': { statuses: signedInOnly },
  'GET /api/properties': { statuses: all(200) },
  'POST /api/dropbox/pictures': {
    statuses: signedInOnly,
    body: () => formOf([{ content: pictures['image/png'] }]),
    headers: formType,
  },
  'POST /api/dropbox/readfiledetails': {
    statuses: signedInOnly,
    body: () => formOf([{ content: fixture('petstore-2.0.yaml') }]),
    headers: formType,
  },
}

let found: string[] = []
beforeAll(async () => {
  found = await operations()
})

test('every operation of the service has its row in this matrix', () => {
  expect(found.sort()).toEqual(Object.keys(expected).sort())
})

async function send(operation: string, client: Client) {
  const [method = '', path = ''] = operation.split(' ')
  const { prepare, body, headers = {}, query = '' } = expected[operation] as Expected
  const filled = prepare ? await prepare() : shared
  return client.send(method, fill(path, filled) + query, { body: body?.(), headers })
}

function fill(path: string, values: Record<string, string>): string {
  return path.replace(/:(\w+)|\*/g, (parameter, name = parameter) => values[name] ?? '')
}

const rows = Object.entries(expected)

/** A client that may lose its session, or every session of the person. */
async function spare(identity: Identity, { endsSession, endsEverySession }: Expected): Promise<Client | undefined> {
  if (endsSession || (endsEverySession && identity === 'nobody')) return signedIn(identity)
  return endsEverySession && (await service.person(...(rolesOf[identity] ?? []))).client
}

describe.each(rows)('%s', (operation, row) => {
  const { statuses, says } = row
  test.each(identities.map((identity, n) => [identity, statuses[n] as number] as const))(
    'answers %s with %i',
    async (identity, status) => {
      const client = (await spare(identity, row)) ?? (clients.get(identity) as Client)
      const answer = await send(operation, client)
      expect(answer.status, answer.text).toBe(status)
      if (status !== 401) return
      const which = identity === 'nobody' ? 'You are not signed in' : 'You are signed in, but not entitled'
      expect(answer.json.faultstring).toContain(says ?? which)
    },
  )
})

const guarded = rows.filter(([operation, { exempt }]) => !operation.startsWith('GET ') && !exempt)

test.each(guarded)('%s refuses a Site Admin who sends no CSRF header', async (operation) => {
  const client = service.client()
  const name = 'PlatformAuthToken_platform'
  client.cookies.set(name, people['a Site Admin'].client.cookies.get(name) ?? '')
  expect((await send(operation, client)).status).toBe(401)
})

const reads = rows.filter(([operation, { endsSession }]) => operation.startsWith('GET ') && !endsSession)

test.each(reads)('%s answers HEAD alike', async (operation, { query = '' }) => {
  for (const identity of ['nobody', 'a Site Admin'] as const) {
    const client = clients.get(identity) as Client
    const answer = await send(operation, client)
    expect((await client.send('HEAD', fill(operation.replace('GET ', ''), shared) + query)).status).toBe(answer.status)
  }
})

test('GET /api/login/endsession has no HEAD, which would end the session unseen', async () => {
  const client = await signedIn('a plain user')
  expect((await client.send('HEAD', '/api/login/endsession')).status).toBe(405)
  expect((await client.get('/api/login/status')).status).toBe(200)
})

test('people read their own record and their own login domain', async () => {
  const { client, id } = people['a plain user']
  for (const path of [`/api/users/${id}`, `/api/users/${id}/logindomain`]) {
    expect((await client.get(path)).status).toBe(200)
  }
})

test('anybody signed in adds APIs where the operator allows it, and administers them', async () => {
  const open = await startService({ ANY_USER_MAY_ADD_APIS: 'true' }, service.connection)
  const client = open.client()
  expect((await client.post('/api/apis', exampleApi())).status).toBe(401)
  const { email, password } = people['a plain user']
  await client.signIn(email, password)
  const added = await client.post('/api/apis', { ...exampleApi(), Visibility: 'Limited' })
  expect(added.status).toBe(200)
  expect((await client.post(`/api/apis/${added.json.APIID}/versions`, { Name: 'next' })).status).toBe(200)
})

test('whoever is not entitled does not learn what is wrong with the body', async () => {
  const client = clients.get('a plain user') as Client
  for (const body of [{}, { Email: adminEmail, Password: 'a good password' }]) {
    expect((await client.post('/api/users', body)).status).toBe(401)
  }
})

test('no answer lets a page of another site read it', async () => {
  const headers = { origin: 'https://evil.test', 'access-control-request-method': 'POST' }
  for (const method of ['GET', 'OPTIONS', 'POST']) {
    const answer = await (clients.get('a Site Admin') as Client).send(method, '/api/login/status', { headers })
    const names = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))
    expect([answer.status, names]).toEqual([{ GET: 200, OPTIONS: 204, POST: 405 }[method], []])
  }
})

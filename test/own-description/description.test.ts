import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Document, Operation } from '../../src/own-description/openapi.ts'
import { expectPlain } from '../support/fault.ts'
import { pathsOf } from '../support/odd-requests.ts'
import { appAlone, describedBy } from '../support/own-description.ts'
import { startService } from '../support/service.ts'

const service = await startService({ PUBLIC_URL: 'https://apis.example.com' })
const client = service.client()
const document: Document = (await client.get('/openapi.json')).json

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)
const named = (name: string) => operations.find((each) => each.name === name)?.operation as Operation
const typesOf = (operation: Operation) => Object.keys(operation.requestBody?.content ?? {})

test('every path of the router is described, with the methods that it allows', async () => {
  const described = Object.keys(document.paths).map((path) =>
    path.replace('{SwaggerPath}', '*').replace(/\{(\w+)\}/g, ':$1'),
  )
  expect(described.sort()).toEqual(pathsOf(service.app).sort())
  for (const [path, item] of Object.entries(document.paths)) {
    const { allow = '' } = (await client.send('OPTIONS', path.replace(/[{}]/g, ''))).headers
    const methods = allow.split(', ').filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
    expect([path, Object.keys(item).map((method) => method.toUpperCase())]).toEqual([path, methods])
  }
})

test('JSON and YAML are the same description, of the address that clients use', async () => {
  const yaml = await client.get('/openapi.yaml')
  expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8')
  expect(parse(yaml.text)).toEqual(document)
  expect(document.servers).toEqual([{ url: 'https://apis.example.com' }])
})

test.each(['/openapi.json', '/openapi.yaml', '/docs'])('%s is sent again only when it has changed', async (path) => {
  const { headers } = await client.get(path)
  expect(headers.etag).toMatch(/^"[^"]+"$/)
  const again = await client.get(path, { 'if-none-match': headers.etag as string })
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag])
  expect(again.headers['content-security-policy']).toBe(headers['content-security-policy'])
  const other = await startService({ PUBLIC_URL: 'https://other.example.com' }, service.connection)
  expect((await other.client().get(path, { 'if-none-match': headers.etag as string })).status).toBe(200)
})

test('operations have names of their own that say what they do', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/)
})

test('who may call, and with what', () => {
  expect(named('GET /api/login/domains')).toMatchObject({ security: [], 'x-permission': 'None; anyone may call it.' })
  expect(named('GET /api/login/status').security).toEqual([{ token: [] }])
  expect(named('GET /api/apis/{APIID}').security).toEqual([{}, { token: [] }])
  expect(named('POST /api/users')).toMatchObject({ security: [{ token: [], csrf: [] }], 'x-permission': 'Site Admin.' })
  expect(named('POST /api/login/logout').security).toEqual([])
  expect(document.components.securitySchemes).toMatchObject({
    token: { type: 'apiKey', in: 'cookie', name: 'PlatformAuthToken_platform' },
    csrf: { type: 'apiKey', in: 'header', name: 'x-csrf-token_platform' },
  })
})

test('a body of a wrong type is refused where there is a body, and nowhere else', () => {
  const refused = operations.filter(({ operation }) => operation.responses[415])
  const taking = operations.filter(({ operation }) => operation.requestBody)
  expect(refused.map(({ name }) => name)).toEqual(taking.map(({ name }) => name))
})

test('deprecated operations say so, and name an operation that replaces them', () => {
  const replaced = operations.filter(({ operation }) => operation['x-replaced-by'])
  expect(replaced.map(({ name, operation }) => [name, operation.deprecated ?? false])).toEqual([
    ['PUT /api/apis/{APIID}', true],
    ['POST /api/apis/{APIID}/versions', false],
    ['GET /api/apis/versions/{APIVersionID}/swagger/{SwaggerPath}', true],
  ])
  for (const { operation } of replaced) {
    const [method, path] = operation['x-replaced-by']?.split(' ') ?? []
    expect(named(`${method} ${path}`)).toBeDefined()
    expect(Object.keys(headersOf(operation))).toEqual(expect.arrayContaining(['Deprecation', 'Link', 'Sunset']))
  }
  expect(operations.filter(({ operation }) => operation.deprecated && !operation['x-replaced-by'])).toEqual([])
})

test('two operations of one method and path are told apart by media type', () => {
  const content = named('POST /api/apis/{APIID}/versions').requestBody?.content ?? {}
  const older = { $ref: '#/components/schemas/APIVersionBody', deprecated: true }
  const newer = { $ref: '#/components/schemas/AddAPIVersionRequest' }
  expect(content['application/vnd.platform.v80+xml']?.schema).toEqual(older)
  expect(content['application/vnd.platform.v81+json']?.schema).toEqual(newer)
  expect(content['application/json']?.schema).toEqual({ anyOf: [older, newer] })
})

test('an answer that differs by media version is described for each', () => {
  const { content } = named('GET /api/apis/versions').responses[200] as never as {
    content: Record<string, { schema: object }>
  }
  expect(content['application/vnd.platform.v71+json']?.schema).toEqual({
    $ref: '#/components/schemas/APIVersionChannel',
  })
  expect(content['application/vnd.platform.v72+xml']?.schema).toEqual({ $ref: '#/components/schemas/APIVersions' })
})

describe('the media types of the contract', () => {
  const versions = ['v71', 'v72', 'v80', 'v81']
  const types = (format: string, of: string[]) => of.map((version) => `application/vnd.platform.${version}+${format}`)
  test.each([
    ['GET /api/login/domains', ['application/json', ...types('json', versions)]],
    ['GET /api/apis/versions/{APIVersionID}/swagger/{SwaggerPath}', ['application/json', ...types('json', versions)]],
    [
      'GET /api/users/{UserID}/logindomain',
      ['application/json', ...types('json', versions), 'application/xml', 'text/xml', ...types('xml', versions)],
    ],
    [
      'PUT /api/apis/{APIID}',
      [
        'application/json',
        ...types('json', versions.slice(0, 3)),
        'application/xml',
        'text/xml',
        ...types('xml', versions.slice(0, 3)),
      ],
    ],
  ])('%s', (name, expected) => {
    const operation = named(name)
    expect(Object.keys((operation.responses[200] as { content: object }).content)).toEqual(expected)
    if (operation.requestBody) expect(typesOf(operation)).toEqual(expected)
  })
})

test('names that the operator sets stand in it', async () => {
  const settings = {
    FEDMEMBER_ID: 'acme',
    VENDOR_IDENTIFIER_PREFIX: 'org.acme',
    VENDOR_CATEGORY_PREFIX: 'uddi:acme.org',
    VENDOR_RENEW_HEADER: 'Acme-Renew',
    VENDOR_CSRF_COOKIE: 'Acme-Csrf',
    VENDOR_USER_STORE: 'Acme Users',
    VENDOR_CLAIMED_ID_PREFIX: 'urn:acme',
    OAUTH_PROVIDER_NAME: 'acme',
    VENDOR_TOKEN_COOKIE: 'Acme',
    VENDOR_MEDIA_TREE: 'vnd.acme',
    CSRF_ON_READS: 'true',
  }
  const theirs = await describedBy(await appAlone(settings))
  expect(theirs.components.securitySchemes.token).toMatchObject({ name: 'Acme_acme' })
  expect(theirs.paths['/api/login/status']?.get?.security).toEqual([{ token: [], csrf: [] }])
  expect(JSON.stringify(theirs)).not.toMatch(/[.:_-]platform\b|\bplatform[.:_-]/i)
})

test('the page is one document without scripts or anything from elsewhere', async () => {
  const page = await client.get('/docs')
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+='; /)
  expect(page.text).not.toMatch(/<script|\son\w+=|style="|src=|url\(|@import|href="(?!#|\/openapi\.)/)
  const ids = [...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [, target] of page.text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
  for (const { operation } of operations) expect(page.text).toContain(`>${operation.summary}</a>`)
})

test('the style sheet is the one that the policy allows', async () => {
  const page = await client.get('/docs')
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page.text) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(page.headers['content-security-policy']).toContain(`'sha256-${hash}'`)
})

test('a fault of these addresses is plain', async () => {
  expectPlain(await client.send('POST', '/openapi.json'))
})

function headersOf(operation: Operation): object {
  return (operation.responses[200] as { headers?: object }).headers ?? {}
}

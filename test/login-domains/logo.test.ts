import { expect, test } from 'vitest'
import { directoryBody } from '../support/login-domains.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()
const anybody = service.client()
const { LoginDomainID } = (await admin.post('/api/login/domains', directoryBody())).json
const domain = `/api/login/domains/${LoginDomainID}`
const url = `${domain}/logo`

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const images = {
  'image/png': png,
  'image/jpeg': Buffer.from('ffd8ffe000104a464946000101000001', 'hex'),
  'image/gif': Buffer.from('GIF89a0123456789'),
  'image/webp': Buffer.from('RIFF0000WEBPVP8 '),
}
const put = (body: Buffer | string | undefined, type = 'image/png') =>
  admin.send('PUT', url, { body, headers: { 'content-type': type } })

test.each(Object.entries(images))(
  'a logo of the type %s is shown to anyone as that, whatever it was called',
  async (type, bytes) => {
    expect((await put(bytes, 'image/x-whatever')).status).toBe(200)
    const shown = await anybody.get(url)
    expect([shown.status, shown.headers['content-type']]).toEqual([200, type])
    expect(shown.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-cache' })
    expect(shown.headers['content-length']).toBe(String(bytes.length))
    const { etag = '' } = shown.headers
    const known = await anybody.get(url, { 'if-none-match': `"x", W/${etag}` })
    expect([known.status, known.text]).toEqual([304, ''])
    expect((await anybody.get(url, { 'if-none-match': '"x"' })).status).toBe(200)
    await put(Buffer.concat([bytes, bytes]))
    const changed = await anybody.get(url, { 'if-none-match': etag })
    expect([changed.status, changed.headers['content-length']]).toEqual([200, String(bytes.length * 2)])
  },
)

test('LogoAssigned and the revision follow it', async () => {
  await put(png)
  const before = await admin.get(domain)
  expect(before.json.LogoAssigned).toBe(true)
  expect((await anybody.get('/api/login/domains')).json[1].LogoAssigned).toBe(true)
  expect((await admin.send('DELETE', url)).status).toBe(200)
  const after = await admin.get(domain)
  expect([after.json.LogoAssigned, (await anybody.get(url)).status]).toEqual([false, 404])
  expect(after.headers.etag).not.toBe(before.headers.etag)
})

test.each<[string, Buffer | string | undefined, string, number]>([
  ['a page', '<html><script>alert(1)</script>', 'image/png', 400],
  ['an SVG picture', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 400],
  ['a cut beginning', png.subarray(0, 6), 'image/png', 400],
  ['nothing', '', 'image/png', 400],
  ['another type', png, 'application/octet-stream', 415],
  ['JSON', '{}', 'application/json', 415],
  ['too much', Buffer.concat([png, Buffer.alloc(262_144)]), 'image/png', 413],
])('%s is refused, and the logo before it stays', async (_what, body, type, status) => {
  await put(images['image/gif'])
  const answer = await put(body, type)
  expect([answer.status, answer.json.status]).toEqual([status, status])
  expect((await anybody.get(url)).headers['content-type']).toBe('image/gif')
})

test('the largest one is taken', async () => {
  const bytes = Buffer.concat([png, Buffer.alloc(262_144 - png.length)])
  expect((await put(bytes)).status).toBe(200)
  expect((await anybody.get(url)).headers['content-length']).toBe('262144')
})

test('of an unknown domain it is 404', async () => {
  for (const id of ['x', '00000000-0000-7000-8000-000000000000.platform', '%00.platform']) {
    const there = `/api/login/domains/${id}/logo`
    const headers = { 'content-type': 'image/png' }
    expect((await admin.send('PUT', there, { body: png, headers })).status).toBe(404)
    expect([(await admin.send('DELETE', there)).status, (await anybody.get(there)).status]).toEqual([404, 404])
  }
})

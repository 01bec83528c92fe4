import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { exampleApi } from '../support/examples.ts'
import { formOf, formType, sendPicture } from '../support/form.ts'
import { otherPng, pictures } from '../support/pictures.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()
const png = pictures['image/png']

const sent = async (content = png, client = admin) => (await sendPicture(client, content)).json.PictureID as string
const addWith = (PictureID: unknown, more = {}) => admin.post('/api/apis', { ...exampleApi(), ...more, PictureID })
const put = (path: string, PictureID: unknown, client = admin) => client.send('PUT', path, { body: { PictureID } })
const kept = async () =>
  (await sql<{ count: number }>`select count(*)::integer from api_picture`.execute(service.db)).rows[0]?.count

describe('sending', () => {
  test.each(Object.entries(pictures))(
    '%s is taken, whatever it is called, and served as what it is',
    async (type, bytes) => {
      const { status, json, headers } = await sendPicture(admin, bytes, 'evil.svg')
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
      expect(json).toEqual({ PictureID: expect.stringMatching(/^[0-9a-f-]{36}\.platform$/) })
      const { AvatarURL } = (await addWith(json.PictureID)).json
      const avatar = await admin.get(new URL(AvatarURL).pathname)
      expect(avatar.headers['content-type']).toBe(type)
      expect(avatar.bytes.equals(bytes)).toBe(true)
    },
  )

  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML', Buffer.from('<html></html>')],
    ['nothing', Buffer.alloc(0)],
    ['a BMP', Buffer.from('BM6\0\0\0')],
    ['the beginning of a PNG', png.subarray(0, 4)],
    ['another RIFF', Buffer.from('RIFF\u0001\0\0\0WAVE')],
  ])('%s is refused, also by the name of a PNG: 400', async (_what, content) => {
    const answer = await sendPicture(admin, content)
    expect([answer.status, answer.json.faultcode]).toEqual([400, 'Malformed'])
  })

  test('at most 1 MiB, at most one, and a form', async () => {
    const large = (size: number) => Buffer.concat([png, Buffer.alloc(size - png.length)])
    expect((await sendPicture(admin, large(1_048_576))).status).toBe(200)
    expect((await sendPicture(admin, large(1_048_577))).status).toBe(413)
    const two = formOf([{ content: png }, { content: png }])
    expect((await admin.post('/api/dropbox/pictures', two, formType)).status).toBe(400)
    expect((await admin.post('/api/dropbox/pictures', png, { 'content-type': 'image/png' })).status).toBe(415)
  })

  test('wrapped in HTML for pages that send from a frame', async () => {
    const answer = await admin.post('/api/dropbox/pictures?wrapInHTML=true', formOf([{ content: png }]), formType)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.text).toMatch(/^<!DOCTYPE html><html><body>{&#34;PictureID&#34;:&#34;[^<]*<\/body><\/html>$/)
  })
})

describe('an API', () => {
  test('has the picture that it was added with, another one, and none', async () => {
    const PictureID = await sent()
    const { json } = await addWith(PictureID)
    const path = `/api/apis/${json.APIID}`
    expect(json).toMatchObject({ PictureID, AvatarURL: `${service.url}${path}/avatar` })
    expect((await admin.get(path)).json).toMatchObject({ PictureID, AvatarURL: json.AvatarURL })
    expect((await admin.get(path, { accept: 'text/xml' })).text).toContain(
      `<AvatarURL>${json.AvatarURL}</AvatarURL><PictureID>${PictureID}</PictureID></API>`,
    )
    const other = await sent(otherPng)
    expect((await put(path, other)).json.PictureID).toBe(other)
    expect((await admin.get(`${path}/avatar`)).bytes.equals(otherPng)).toBe(true)
    expect((await admin.send('PUT', path, { body: { Description: 'kept' } })).json.PictureID).toBe(other)
    const before = await kept()
    const bare = (await put(path, '')).json
    expect([bare.PictureID, bare.AvatarURL]).toEqual([undefined, undefined])
    expect((await admin.get(`${path}/avatar`)).status).toBe(404)
    expect(await kept()).toBe((before ?? 0) - 1)
  })

  test('that is put back as it was read keeps its picture, whoever sent it', async () => {
    const { json } = await addWith(await sent())
    const { client } = await service.person('BusinessAdmin')
    const again = await client.send('PUT', `/api/apis/${json.APIID}`, { body: json })
    expect([again.status, again.json.PictureID]).toEqual([200, json.PictureID])
  })

  test('added with an empty PictureID has none', async () => {
    const { status, json } = await addWith('')
    expect([status, json.PictureID, json.AvatarURL]).toEqual([200, undefined, undefined])
  })

  test.each([
    ['that names nothing', () => '00000000-0000-7000-8000-000000000000.platform'],
    ['that is no id', () => 'x'],
    ['of another user', async () => sent(png, (await service.person()).client)],
    ['of another API', async () => (await addWith(await sent())).json.PictureID],
    [
      'that is older than a day',
      async () => {
        const id = await sent()
        await sql`update dropbox_picture set created = now() - interval '25 hours'
          where id = ${id.split('.')[0]}`.execute(service.db)
        return id
      },
    ],
  ])('does not get a picture %s: 400, and nothing is changed', async (_what, picture) => {
    const PictureID = await picture()
    const refused = await addWith(PictureID, { Name: 'Refused' })
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '/PictureID'])
    expect((await admin.get('/api/apis?name=Refused')).json.channel.item).toEqual([])
    const mine = (await addWith(await sent())).json
    expect((await put(`/api/apis/${mine.APIID}`, PictureID)).status).toBe(400)
    expect((await admin.get(`/api/apis/${mine.APIID}`)).json).toMatchObject({
      PictureID: mine.PictureID,
      Updated: mine.Updated,
    })
    expect((await admin.get(`/api/apis/${mine.APIID}/avatar`)).bytes.equals(png)).toBe(true)
  })

  test('one picture for two APIs at once is given to one', async () => {
    const PictureID = await sent()
    const answers = await Promise.all([addWith(PictureID), addWith(PictureID)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('an API repeated by its Idempotency-Key has the picture that it got first', async () => {
    const body = { ...exampleApi(), PictureID: await sent() }
    const headers = { 'idempotency-key': 'picture' }
    const [first, again] = [await admin.post('/api/apis', body, headers), await admin.post('/api/apis', body, headers)]
    expect([again.status, again.text]).toEqual([200, first.text])
  })
})

describe('the avatar', () => {
  test('is a picture and nothing else to a browser, and is not sent twice', async () => {
    const { APIID } = (await addWith(await sent())).json
    const path = `/api/apis/${APIID}/avatar`
    const answer = await service.client().get(path, { accept: 'image/avif,image/*' })
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline; filename="avatar.png"',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'private, no-cache',
    })
    const tag = answer.headers.etag as string
    const again = await service.client().get(path, { 'if-none-match': tag })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', tag])
    await put(`/api/apis/${APIID}`, await sent(otherPng))
    expect((await service.client().get(path, { 'if-none-match': tag })).status).toBe(200)
  })

  test('is for those who may read the API', async () => {
    const { APIID } = (await addWith(await sent(), { Visibility: 'Limited' })).json
    const { client } = await service.person()
    expect((await client.get(`/api/apis/${APIID}/avatar`)).status).toBe(401)
    expect((await admin.get(`/api/apis/${APIID}/avatar`)).status).toBe(200)
  })

  test('has the public address where there is one', async () => {
    const behind = await startService({ PUBLIC_URL: 'https://apis.example.com' }, service.connection)
    const { APIID } = (await addWith(await sent())).json
    const path = `/api/apis/${APIID}`
    const { etag } = (await admin.get(path)).headers
    const answer = await (await behind.siteAdmin()).get(path, { 'if-none-match': String(etag) })
    expect(answer.status).toBe(200)
    expect(answer.json.AvatarURL).toBe(`https://apis.example.com/api/apis/${APIID}/avatar`)
  })
})

test('pictures go with their API, and those that no API has with their user', async () => {
  const before = await kept()
  const { APIID } = (await addWith(await sent())).json
  expect(await kept()).toBe((before ?? 0) + 1)
  await admin.send('DELETE', `/api/apis/${APIID}`)
  expect(await kept()).toBe(before)
  const { client, id } = await service.person()
  await sent(png, client)
  const user = id.split('.')[0]
  await sql`delete from app_user where id = ${user}`.execute(service.db)
  expect((await sql`select from dropbox_picture where user_id = ${user}`.execute(service.db)).rows).toEqual([])
})

test('of a user the newest twenty are kept, and those of yesterday go', async () => {
  const { client, id } = await service.person()
  const user = id.split('.')[0]
  const ids: string[] = []
  for (let n = 0; n < 22; n++) ids.push(await sent(png, client))
  const stored = () =>
    sql<{ id: string }>`select id || '.platform' as id from dropbox_picture where user_id = ${user}
      order by id`.execute(service.db)
  expect((await stored()).rows.map((row) => row.id)).toEqual(ids.slice(2))
  await sql`update dropbox_picture set created = now() - interval '25 hours' where user_id = ${user}`.execute(
    service.db,
  )
  for (let n = 0; n < 3; n++) await sent()
  expect((await stored()).rows).toEqual([])
})

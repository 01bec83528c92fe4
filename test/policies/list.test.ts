import { XMLParser } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { exampleApi } from '../support/examples.ts'
import { everyPage, itemsOf, titlesOf } from '../support/lists.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()
const type = 'Operational Policy'
const all = ['API Key', 'Basic Authentication', 'CORS', 'Detailed Auditing', 'Mutual TLS', 'OAuth']

test('an item says how a version names the policy', async () => {
  const { status, json } = await admin.get('/api/policies')
  expect(status).toBe(200)
  expect(json).toMatchObject({ channel: { title: 'Policies' }, version: '1.0' })
  const [first] = json.channel.item
  expect(first).toEqual({
    title: 'API Key',
    description: expect.stringMatching(/\.$/),
    category: [
      { value: 'policy', domain: 'uddi:platform.com:resourcetype' },
      { value: type, domain: 'uddi:platform.com:policytype' },
    ],
    guid: { value: first.PolicyKey },
    pubDate: expect.stringMatching(/ GMT$/),
    PolicyKey: 'urn:uuid:5b0f3c52-6f0a-4d0e-9a5e-0d6d6b1c7a01',
    PolicyType: type,
  })
  const { PolicyKey, PolicyType } = first
  const api = { ...exampleApi(), APIVersion: { Name: '1.0', Policies: { Policy: [{ PolicyKey, PolicyType }] } } }
  const { APIVersion } = (await admin.post('/api/apis', api)).json
  expect(APIVersion.Policies).toEqual({ Policy: [{ PolicyKey, PolicyType }] })
})

test('as XML', async () => {
  const { text, headers } = await admin.get('/api/policies', { accept: 'application/vnd.platform.v71+xml' })
  expect(headers['content-type']).toBe('application/vnd.platform.v71+xml; charset=utf-8')
  const { rss } = new XMLParser().parse(text)
  expect(rss.channel.item.map(({ title }: { title: string }) => title)).toEqual(all)
})

test.each([
  ['', all],
  ['?Type=', all],
  ['?Type=Operational%20Policy', all],
  ['?type=Operational+Policy', all],
  ['?Type=Compliance%20Policy', []],
  ['?Type=operational', []],
])('%j lists %j', async (query, titles) => {
  expect(await titlesOf(admin, `/api/policies${query}`)).toEqual(titles)
})

test.each([1, 2, 4, 6, 7])('in pages of %i, each policy once, by name', async (count) => {
  const pages = await everyPage(admin, `/api/policies?Type=Operational%20Policy&count=${count}`)
  expect(pages.length).toBe(Math.ceil(all.length / count))
  expect(itemsOf(pages).map(({ title }) => title)).toEqual(all)
})

test('from a start on, and nothing behind the end', async () => {
  expect(await titlesOf(admin, '/api/policies?start=4&count=1')).toEqual(all.slice(4))
  expect(await titlesOf(admin, '/api/policies?start=60')).toEqual([])
})

test.each(['count=0', 'count=101', 'start=-1', 'start=x', 'cursor=x', `Type=${'x'.repeat(300)}`])(
  '%s: 400',
  async (query) => {
    expect((await admin.get(`/api/policies?${query}`)).status).toBe(400)
  },
)

test('a cursor is good for the same type only', async () => {
  const { headers } = await admin.get('/api/policies?count=1')
  const cursor = /cursor=([^&>]*)/.exec(String(headers.link))?.[1]
  expect((await admin.get(`/api/policies?cursor=${cursor}`)).status).toBe(200)
  expect((await admin.get(`/api/policies?cursor=${cursor}&Type=Operational%20Policy`)).status).toBe(400)
})

test('a version may name policies that are not in the list', async () => {
  const Policy = [{ PolicyKey: 'urn:uuid:00000000-0000-0000-0000-000000000000' }]
  const answer = await admin.post('/api/apis', { ...exampleApi(), APIVersion: { Name: '1', Policies: { Policy } } })
  expect(answer.json.APIVersion.Policies).toEqual({ Policy })
})

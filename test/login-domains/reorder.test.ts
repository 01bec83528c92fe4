import { expect, test } from 'vitest'
import { directoryBody } from '../support/login-domains.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const replica = await startService({}, service.connection)
const admin = await service.siteAdmin()
const url = '/api/login/domains/sequence'

const ids: string[] = []
// Two stand in the same place, and there are gaps.
for (const Sequence of [4, 4, 9, 12]) {
  const { LoginDomainID } = (await admin.post('/api/login/domains', directoryBody({ Sequence }))).json
  ids.push(LoginDomainID)
}
const [a = '', b = '', c = '', d = ''] = ids
const unknown = '00000000-0000-7000-8000-000000000000.platform'
const put = (LoginDomainID: unknown) => admin.send('PUT', url, { body: { LoginDomainID } })
const order = async (at = service): Promise<[string, number][]> =>
  (await at.client().get('/api/login/domains')).json.map(
    ({ LoginDomainID, Sequence }: { LoginDomainID: string; Sequence: number }) => [LoginDomainID, Sequence],
  )
const builtIn = ['siteusers.platform', -1]
const placed = (...given: string[]) => [builtIn, ...given.map((id, at) => [id, at + 1])]

test('all get the places of the order given at once, on every replica', async () => {
  await order(replica)
  expect((await put([d, b, a, c])).status).toBe(200)
  expect(await order()).toEqual(placed(d, b, a, c))
  await expect.poll(() => order(replica), { timeout: 300, interval: 5 }).toEqual(placed(d, b, a, c))
})

test('those that are not named follow in their order, and only those that move have a new revision', async () => {
  await put([a, b, c, d])
  const etag = async (id: string) => (await admin.get(`/api/login/domains/${id}`)).headers.etag
  const before = [await etag(a), await etag(d)]
  const xml = `<LoginDomainSequence><LoginDomainID>${c}</LoginDomainID></LoginDomainSequence>`
  expect((await admin.send('PUT', url, { body: xml, headers: { 'content-type': 'application/xml' } })).status).toBe(200)
  expect(await order()).toEqual(placed(c, a, b, d))
  expect(await etag(a)).not.toBe(before[0])
  expect(await etag(d)).toBe(before[1])
})

test('orders at once leave one of them', async () => {
  const orders = [
    [a, b, c, d],
    [d, c, b, a],
    [b, d, a, c],
  ]
  const answers = await Promise.all([...orders, ...orders].map(put))
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
  expect(orders.map((each) => placed(...each))).toContainEqual(await order())
})

test.each([unknown, 'none', 'none.platform', a.replace('.platform', '.other'), a.toUpperCase()])(
  'the id %s, which no domain has, is a 404 that says where, and nothing moves',
  async (id) => {
    await put([a, b, c, d])
    const { status, json } = await put([d, id])
    const error = { pointer: '/LoginDomainID/1', message: 'is the id of no login domain' }
    expect([status, json.faultstring, json.errors]).toEqual([404, `No login domain has the id "${id}".`, [error]])
    expect(await order()).toEqual(placed(a, b, c, d))
  },
)

test.each<[string, unknown, string]>([
  ['the built-in domain', ['siteusers.platform'], '/LoginDomainID/0'],
  ['a domain twice', [a, b, a], '/LoginDomainID/2'],
  ['NUL', ['\0'], '/LoginDomainID/0'],
  ['no list', 'x', '/LoginDomainID'],
  ['more than there can be', Array(1001).fill(a), '/LoginDomainID'],
])('%s is a 400 that says where, and nothing moves', async (_, given, pointer) => {
  await put([a, b, c, d])
  const answer = await put(given)
  expect([answer.status, answer.json.errors?.[0]?.pointer]).toEqual([400, pointer])
  expect(await order()).toEqual(placed(a, b, c, d))
})

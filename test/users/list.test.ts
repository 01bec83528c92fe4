import { XMLParser } from 'fast-xml-parser'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/ids.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()

interface Listed {
  UserName: string
  LoginDomainID: string
}
const list = async (query: string) => {
  const answer = await admin.get(`/api/users?${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer
}
const namesOf = (users: Listed[]) => users.map(({ UserName }) => UserName)
const names = async (query: string) => namesOf((await list(query)).json)

/** Every page that the Link headers lead to. */
async function walk(query: string): Promise<string[][]> {
  const pages: string[][] = []
  for (let url: string | undefined = `/api/users?${query}`; url; ) {
    const { json, headers } = await admin.get(url)
    pages.push(namesOf(json))
    url = /^<(.*)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1]
  }
  return pages
}

beforeAll(async () => {
  await service.db
    .insertInto('login_domain')
    .values({ id: 'elsewhere', kind: 'ldap', title: 'Elsewhere', sequence: 1, domain_name: 'elsewhere', secret: null })
    .execute()
  const user = (user_name: string, email: string, domain_id = 'siteusers') => ({
    id: newId(),
    user_name,
    email,
    domain_id,
  })
  await service.db
    .insertInto('app_user')
    .values(
      [
        user('Zoe', 'zoe@example.com'),
        user('anna', 'b-anna@example.com'),
        user('Anton', 'a-anton@example.com'),
        user('an_ton', 'x%1@example.com'),
        user('Ärne', 'arne@example.com'),
        user('Anna', 'anna@elsewhere.com', 'elsewhere'),
        user('anna', '', 'elsewhere'),
      ].map((row) => ({ ...row, password_hash: null, issuer: null, subject: null })),
    )
    .execute()
})

test('the list has every user by name, in any case, each as it is read alone', async () => {
  const { json, headers } = await list('')
  expect(namesOf(json).map((name) => name.toLowerCase())).toEqual([
    'admin@localhost',
    'an_ton',
    'anna',
    'anna',
    'anna',
    'anton',
    'zoe',
    'ärne',
  ])
  expect(headers.link).toBeUndefined()
  for (const user of json)
    expect((await admin.get(`/api/users/${(user as { UserID: string }).UserID}`)).json).toEqual(user)
})

test.each([
  ['name=an', ['an_ton', 'anna', 'anna', 'Anna', 'Anton']],
  ['NAME=ANT', ['Anton']],
  ['name=an_', ['an_ton']],
  ['name=%25', []],
  ['name=%C3%84r', ['Ärne']],
  ['email=A', ['admin@localhost', 'Anna', 'Anton', 'Ärne']],
  ['email=x%25', ['an_ton']],
  ['domain=elsewhere.platform', ['Anna', 'anna']],
  ['domain=elsewhere.platform&name=anna', ['Anna', 'anna']],
  ['domain=siteusers.platform&name=anna', ['anna']],
  ['domain=elsewhere.platform&email=anna', ['Anna']],
  ['domain=none.platform', []],
])('%s leaves %j', async (query, left) => {
  const found = await names(query)
  expect([...found].sort()).toEqual([...left].sort())
})

test('pages follow each other by the Link header, without gaps or repetitions', async () => {
  const all = await names('')
  for (const count of [1, 3, 8]) {
    const pages = await walk(`count=${count}`)
    expect(pages.flat()).toEqual(all)
    expect(pages.every((page) => page.length <= count)).toBe(true)
  }
  expect((await walk('count=2&name=an')).flat()).toEqual(await names('name=an'))
  expect(await names('start=6')).toEqual(all.slice(6))
  expect(await names('start=10000')).toEqual([])
})

test('it is answered as XML', async () => {
  const { text } = await admin.get('/api/users?email=zoe', { accept: 'application/xml' })
  expect(new XMLParser().parse(text, true).Users.User).toMatchObject({ UserName: 'Zoe', Enabled: true })
})

test.each(['count=0', 'count=101', 'start=-1', 'start=10001', 'cursor=x', 'name=a&email=b', 'name=%00'])(
  '%s is a 400',
  async (query) => {
    expect((await admin.get(`/api/users?${query}`)).status).toBe(400)
  },
)

test.each(['x', 'siteusers', 'siteusers.other', '.platform', '%F0%9F%90%88.platform'])(
  'a domain with the id %s, which cannot be one of ours, is a 404',
  async (id) => {
    const { status, json } = await admin.get(`/api/users?domain=${id}`)
    const error = { pointer: '/domain', message: 'is the id of no login domain' }
    expect([status, json.errors]).toEqual([404, [error]])
  },
)

test('the cursor of one list is no good for another', async () => {
  const link = String((await list('count=1')).headers.link)
  const cursor = /cursor=([^>&]+)/.exec(link)?.[1]
  expect((await admin.get(`/api/users?name=a&cursor=${cursor}`)).status).toBe(400)
})

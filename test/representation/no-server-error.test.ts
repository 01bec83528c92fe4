import fc from 'fast-check'
import { XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { exampleApi } from '../support/examples.ts'
import { oddRequest, pathsOf } from '../support/odd-requests.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()
const leaver = await service.siteAdmin()

const paths = pathsOf(service.app)
const operations = await Promise.all(
  paths.map(async (path) => {
    const { headers } = await admin.send('OPTIONS', path)
    return { path, methods: headers.allow?.split(', ').filter((method) => method !== 'OPTIONS') ?? [] }
  }),
)

/** Enough of everything, by parameter name, as requests delete some of it. */
async function idsOfThings(): Promise<Record<string, string[]>> {
  const ids = {
    APIID: [''],
    APIVersionID: [''],
    ObjectID: [''],
    GroupID: [''],
    UserID: [''],
    Role: ['SiteAdmin', 'BusinessAdmin'],
    Specification: ['swagger', 'oas3'],
  }
  for (let number = 0; number < 40; number++) {
    const { json: api } = await admin.post('/api/apis', exampleApi())
    ids.APIID.push(api.APIID)
    ids.APIVersionID.push(api.LatestVersionID)
    ids.ObjectID.push(api.LatestVersionID)
    ids.GroupID.push(api.AdminGroupID)
    if (number >= 10) continue
    const user = { Email: `user${number}@example.com`, Password: 'a long password' }
    ids.UserID.push((await admin.post('/api/users', user)).json.UserID)
  }
  return ids
}

test('the paths of all operations are known', () => {
  expect(paths).toContain('/api/apis/:APIID/versions')
  expect(paths).toContain('/api/apis/versions/:APIVersionID/swagger/*')
  expect(operations).toContainEqual({
    path: '/api/apis/versions/:APIVersionID',
    methods: expect.arrayContaining(['GET']),
  })
  for (const { methods } of operations) expect(methods).not.toEqual([])
})

test('whatever a request is, the service answers without a fault of its own', async () => {
  const request = oddRequest(operations, await idsOfThings())
  const counts: Record<number, number> = {}
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 5, maxLength: 5 }), async (requests) => {
      const sent = requests.map(async ({ method, path, headers, body }) => {
        const client = /logout|endsession/i.test(path) ? leaver : admin
        const { status, headers: given, text } = await client.send(method, path, { headers, body })
        counts[status] = (counts[status] ?? 0) + 1
        expect(status, text).toBeLessThan(500)
        if (status < 400 || method === 'HEAD') return
        if (given['content-type']?.startsWith('text/html')) expect(path).toMatch(/^\/oauth\//)
        else if (given['content-type']?.includes('xml')) expect(XMLValidator.validate(text)).toBe(true)
        else expect(JSON.parse(text)).toMatchObject({ status })
      })
      await Promise.all(sent)
    }),
    { numRuns: 300 },
  )
  // The requests reach the operations: they are not all refused at the door.
  for (const status of [200, 400, 404, 405, 415]) expect(counts[status]).toBeGreaterThan(10)
}, 60_000)

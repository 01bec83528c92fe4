import { XMLParser } from 'fast-xml-parser'
import { afterEach, expect, test, vi } from 'vitest'
import { directory } from '../../src/login/ways/directory.ts'
import { directoryBody } from '../support/login-domains.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()
const path = '/api/login/domains'

afterEach(() => vi.restoreAllMocks())

test('each step up to the first that fails is answered, in JSON and XML', async () => {
  const steps = [{ step: 'connect' }, { step: 'bind', failure: 'the name & the password are wrong' }]
  const tried = vi.spyOn(directory, 'test').mockResolvedValue(steps)
  const { LoginDomainID } = (await admin.post(path, directoryBody({ Enabled: false }))).json
  const Step = [
    { Name: 'connect', Passed: true },
    { Name: 'bind', Passed: false, Failure: 'the name & the password are wrong' },
  ]
  const answer = await admin.post(`${path}/${LoginDomainID}/test`)
  expect([answer.status, answer.json]).toEqual([200, { Step }])
  expect(tried.mock.calls[0]?.[0]).toMatchObject({
    secret: 'a secret to look for',
    settings: { BaseDn: expect.anything() },
  })
  const xml = await admin.post(`${path}/${LoginDomainID}/test`, undefined, { accept: 'application/xml' })
  expect(new XMLParser({ processEntities: true }).parse(xml.text, true)).toMatchObject({ LoginDomainTest: { Step } })
})

test('the built-in domain has nothing to try, and an unknown one is 404', async () => {
  expect((await admin.post(`${path}/siteusers.platform/test`)).status).toBe(400)
  expect((await admin.post(`${path}/x.platform/test`)).status).toBe(404)
})

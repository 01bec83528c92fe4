import { XMLParser } from 'fast-xml-parser'
import { afterEach, expect, test, vi } from 'vitest'
import { keyRing } from '../../src/access/keys.ts'
import { directory } from '../../src/login/ways/directory.ts'
import { openId } from '../../src/login/ways/open-id.ts'
import { secretPurpose } from '../../src/login-domains/sign-in.ts'
import { directoryBody, openIdBody } from '../support/login-domains.ts'
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

test('without a secret that the keys open, nothing is asked and nobody signs in', async () => {
  const asked = [vi.spyOn(directory, 'test'), vi.spyOn(directory, 'prove'), vi.spyOn(openId, 'begin')]
  const bodies = [directoryBody(), openIdBody()]
  for (const body of bodies) {
    const { LoginDomainID } = (await admin.post(path, body)).json
    const others = keyRing(['another key of thirty-two characters'])
    const id = LoginDomainID.slice(0, 36)
    const secret = others.encrypt(secretPurpose(id), 'a secret to look for')
    await service.db.updateTable('login_domain').set({ secret }).where('id', '=', id).execute()
    const tried = (await admin.post(`${path}/${LoginDomainID}/test`)).json
    expect(tried.Step).toEqual([
      { Name: 'Read the secret', Passed: false, Failure: expect.stringContaining('SECRET_KEYS') },
    ])
    const login = `/api/login/ssoLogin/${LoginDomainID}`
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const fields = 'identity_username=alice&secret_password=x'
    for (const answer of [await admin.get(login), await admin.send('POST', login, { body: fields, headers: form })]) {
      expect([answer.status, answer.json.faultstring]).toEqual([503, expect.stringContaining('cannot be read')])
    }
  }
  for (const each of asked) expect(each).not.toHaveBeenCalled()
})

test('the built-in domain has nothing to try, and an unknown one is 404', async () => {
  expect((await admin.post(`${path}/siteusers.platform/test`)).status).toBe(400)
  expect((await admin.post(`${path}/x.platform/test`)).status).toBe(404)
})

import { beforeEach, expect, test, vi } from 'vitest'
import { sendForm } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService({ LOGIN_ADDRESS_PER_MINUTE: '100000' })

/** What requests have logged at info. */
const lines: Record<string, unknown>[] = []
const log = service.app.log
const childOf = log.child.bind(log)
vi.spyOn(log, 'child').mockImplementation((...values) => {
  const child = childOf(...values)
  child.info = (line: object, msg?: string) => void lines.push({ ...line, msg })
  return child
})

const { id, email, password, client } = await service.person()
const user = id.slice(0, 36)
const refusals = () => lines.filter(({ msg }) => msg === 'sign-in refused')
const answered = (status: number) => lines.filter((line) => line.msg === 'answered' && line.status === status)

beforeEach(() => {
  lines.length = 0
})

test('a refused sign-in names the user whom it found, throttled ones too', async () => {
  const guessed = await service.person()
  const found = guessed.id.slice(0, 36)
  lines.length = 0
  for (let n = 0; n < 3; n++) await service.client().signIn(guessed.email, 'wrong')
  for (let n = 0; n < 3; n++)
    await sendForm(service.client(), '/oauth/login', { identity_email: guessed.email, secret_password: 'wrong' })
  const reason = expect.stringContaining('Too many failed sign-ins')
  const address = '127.0.0.1'
  expect(refusals().slice(0, 5)).toMatchObject(Array(5).fill({ user: found, address }))
  expect(refusals().slice(5)).toMatchObject([{ user: found, address, reason }])
})

test('a name that finds nobody is never written, but told from others', async () => {
  for (const name of ['my password', 'My Password', 'another']) await service.client().signIn(name, 'wrong')
  const [first, second, other] = refusals().map(({ account }) => account)
  expect(first).toMatch(/^[\w-]{43}$/)
  expect([second, other === first]).toEqual([first, false])
  expect(JSON.stringify(lines)).not.toMatch(/my password|another/i)
})

test('whoever lacks a role or the CSRF header is named', async () => {
  expect((await client.get('/api/users')).status).toBe(401)
  expect((await client.post('/api/apis', {}, { 'x-csrf-token_platform': 'wrong' })).status).toBe(401)
  await expect
    .poll(() => answered(401))
    .toMatchObject([
      { path: '/api/users', user },
      { path: '/api/apis', user },
    ])
})

test('whoever is proven and not let in is named', async () => {
  expect(
    (
      await sendForm(service.client(), '/oauth/login', {
        identity_email: email,
        secret_password: password,
        Domain: 'siteusers',
      })
    ).status,
  ).toBe(401)
  expect(refusals()).toMatchObject([{ user }])
})

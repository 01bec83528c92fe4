import { expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()
const replica = await startService({}, service.connection)
const admin = await service.siteAdmin()

const change = (client: typeof admin, id: string, body: unknown, headers = {}) =>
  client.send('PUT', `/api/users/${id}/password`, { body, headers })
const statusOf = async (client: typeof admin) => (await client.get('/api/login/status')).status
const signIn = async (email: string, password: string) => (await service.client().signIn(email, password)).status
const NewPassword = 'a new password'

test('one changes their own with the present one, which ends their other sessions on every replica', async () => {
  const { client, id, email, password } = await service.person()
  const other = replica.client()
  await other.signIn(email, password)
  expect(await statusOf(other)).toBe(200)
  const answer = await change(client, id, { OldPassword: password, NewPassword })
  expect([answer.status, answer.text]).toEqual([200, ''])
  expect(await statusOf(client)).toBe(200)
  await expect.poll(() => statusOf(other), { timeout: 300, interval: 5 }).toBe(401)
  expect([await signIn(email, password), await signIn(email, NewPassword)]).toEqual([401, 200])
})

test('XML is taken as well', async () => {
  const { client, id, email, password } = await service.person()
  const body = `<PasswordChange><OldPassword>${password}</OldPassword><NewPassword> &lt;0007&gt; </NewPassword></PasswordChange>`
  expect((await change(client, id, body, { 'content-type': 'application/xml' })).status).toBe(200)
  expect(await signIn(email, ' <0007> ')).toBe(200)
})

test('a wrong present one is refused, and guessing has to wait', async () => {
  const { client, id, email, password } = await service.person()
  for (let n = 0; n < 5; n++) {
    const answer = await change(client, id, { OldPassword: 'wrong', NewPassword })
    expect([answer.status, answer.json.errors]).toMatchObject([400, [{ pointer: '/OldPassword' }]])
    expect(answer.text).not.toContain(NewPassword)
  }
  const waits = await change(client, id, { OldPassword: password, NewPassword })
  expect([waits.status, Number(waits.headers['retry-after']) > 0]).toEqual([429, true])
  expect(await signIn(email, password)).toBe(429)
})

test('of two changes at once one is made', async () => {
  const { client, id, email, password } = await service.person()
  const passwords = ['the first one', 'the second one']
  const answers = await Promise.all(
    passwords.map((one) => change(client, id, { OldPassword: password, NewPassword: one })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  const won = passwords[answers.findIndex(({ status }) => status === 200)] as string
  expect(await signIn(email, won)).toBe(200)
})

test("nobody changes somebody else's, and a user of another domain has none", async () => {
  const { client, id, password } = await service.person()
  expect((await change(admin, id, { OldPassword: password, NewPassword })).status).toBe(401)
  for (const [name, value] of Object.entries({ OldPassword: '', NewPassword: 'short' })) {
    const answer = await change(client, id, { OldPassword: password, NewPassword, [name]: value })
    expect([answer.status, answer.json.errors]).toMatchObject([400, [{ pointer: `/${name}` }]])
  }
  await service.db.updateTable('app_user').set({ password_hash: null }).where('id', '=', id.slice(0, 36)).execute()
  const answer = await change(client, id, { OldPassword: password, NewPassword })
  expect([answer.status, answer.json.faultstring]).toEqual([400, expect.stringContaining('Your login domain')])
})

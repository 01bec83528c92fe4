import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Client, setCookies } from '../support/client.ts'
import { lockWaits } from '../support/lock-waits.ts'
import { oauthCookie, sendForm } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService({ LOGIN_ADDRESS_PER_MINUTE: '100000' })
const admin = await service.siteAdmin()
const change = (id: string, body: object) => admin.send('PUT', `/api/users/${id}`, { body })

/** Does something while a change of a user is under way: it has changed the user, and waits to end their sessions. */
async function amidst<T>(id: string, body: object, work: () => Promise<T>): Promise<T> {
  const session = service.db.selectFrom('session').select('id').where('user_id', '=', id.slice(0, 36))
  const { changing, working } = await service.db.transaction().execute(async (trx) => {
    await trx.executeQuery(session.forUpdate().compile())
    const changing = change(id, body)
    while ((await lockWaits(service)) < 1) await sleep(5)
    const working = work()
    // In vain where nothing makes it wait; the change gives up after a second.
    for (let tries = 0; tries < 50 && (await lockWaits(service)) < 2; tries++) await sleep(5)
    return { changing, working }
  })
  expect((await changing).status).toBe(200)
  return working
}

test.each([
  ['POST /api/login', (client: Client, email: string, password: string) => client.signIn(email, password)],
  [
    'POST /oauth/login',
    (client: Client, email: string, password: string) =>
      sendForm(client, '/oauth/login', { identity_email: email, secret_password: password }),
  ],
])('%s under way does not outlive another password or being disabled', async (_operation, signIn) => {
  for (const body of [{ Password: 'another password' }, { Enabled: false }]) {
    const { id, email, password } = await service.person()
    const client = service.client()
    const answer = await amidst(id, body, () => signIn(client, email, password))
    expect([answer.status, setCookies(answer)]).toEqual([401, []])
    await change(id, { Enabled: true })
    const sessions = await admin.get(`/api/users/${id}/sessions`)
    expect(sessions.json).toEqual([])
    expect(client.cookies.has(oauthCookie)).toBe(false)
  }
})

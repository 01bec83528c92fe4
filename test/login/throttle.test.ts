import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Answer } from '../support/client.ts'
import { sendForm } from '../support/oauth.ts'
import { adminEmail, adminPassword, type Service, startService } from '../support/service.ts'

const service = await startService({ LOGIN_ADDRESS_PER_MINUTE: '100000' })

const attempt = (email: string, password: string, at: Service = service) =>
  at.client().post('/api/login', { email, password })
const guess = (email: string, at?: Service) => attempt(email, 'a wrong password', at)

async function guesses(count: number, email: string): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < count; n++) statuses.push((await guess(email)).status)
  return statuses
}

/** What an answer says apart from what differs between any two answers. */
function comparable({ status, headers, json }: Answer) {
  return { status, headers: { ...headers, date: undefined }, body: { ...json, instance: undefined } }
}

/** As if every wait had passed. */
const waitPassed = () => service.db.updateTable('sign_in_throttle').set({ blocked_until: new Date() }).execute()

/** As if everything had happened a minute before. */
const minutePassed = () =>
  sql`update sign_in_throttle set window_started = window_started - interval '1 minute',
    blocked_until = blocked_until - interval '1 minute'`.execute(service.db)

describe('an account', () => {
  test('waits after five failures, whether it exists or not', async () => {
    const { email } = await service.person()
    const disabled = { Email: 'off@example.com', Password: 'a good password', Enabled: false }
    await (await service.siteAdmin()).post('/api/users', disabled)
    const refusals: Answer[] = []
    for (const account of [email, 'nobody@example.com', disabled.Email]) {
      expect(await guesses(5, account)).toEqual([401, 401, 401, 401, 401])
      refusals.push(await guess(account))
    }
    const [first, ...others] = refusals.map(comparable)
    expect(first).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    expect(others).toEqual([first, first])
  })

  test('is refused even the right password until the wait is over', async () => {
    const { email, password } = await service.person()
    await guesses(5, email)
    const refused = await attempt(email, password)
    expect([refused.status, refused.headers['set-cookie']]).toEqual([429, undefined])
    await sleep(Number(refused.headers['retry-after']) * 1000)
    expect((await attempt(email, password)).status).toBe(200)
  })

  test('waits twice as long after each further failure, a minute at most, never for ever', async () => {
    const email = 'patient@example.com'
    await guesses(4, email)
    const waits: number[] = []
    for (let n = 0; n < 8; n++) {
      expect((await guess(email)).status).toBe(401)
      waits.push(Number((await guess(email)).headers['retry-after']))
      await waitPassed()
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  })

  test('starts anew once somebody has signed in', async () => {
    const { email, password } = await service.person()
    for (let round = 0; round < 2; round++) {
      expect(await guesses(4, email)).toEqual([401, 401, 401, 401])
      expect((await attempt(email, password)).status).toBe(200)
    }
  })

  test('is the same in upper and lower case', async () => {
    const { email } = await service.person()
    await guesses(3, email)
    await guesses(2, email.toUpperCase())
    expect((await guess(email)).status).toBe(429)
  })

  test('is known by what was typed: its waits do not tell that a name and an address are one', async () => {
    const { id, email } = await service.person()
    const UserName = 'somebody'
    await (await service.siteAdmin()).send('PUT', `/api/users/${id}`, { body: { UserName } })
    const guessAt = async (fields: Record<string, string>) =>
      (await sendForm(service.client(), '/oauth/login', { ...fields, secret_password: 'wrong' })).status
    for (const [name, address] of [
      [UserName, email],
      ['unknown', 'unknown@example.com'],
    ] as const) {
      for (let n = 0; n < 5; n++) expect(await guessAt({ identity_username: name })).toBe(401)
      expect(await guessAt({ identity_username: name.toUpperCase() })).toBe(429)
      expect(await guessAt({ identity_email: address })).toBe(401)
    }
  })

  test('does not make others wait', async () => {
    const [{ email }, other] = [await service.person(), await service.person()]
    await guesses(5, email)
    expect((await guess(email)).status).toBe(429)
    expect((await attempt(other.email, other.password)).status).toBe(200)
  })
})

describe('an address', async () => {
  const strict = await startService({ LOGIN_ADDRESS_PER_MINUTE: '3' }, service.connection)
  const behindProxy = await startService(
    { LOGIN_ADDRESS_PER_MINUTE: '3', TRUSTED_PROXIES: '127.0.0.1' },
    service.connection,
  )
  const from = (address: string, at: Service, email: string) =>
    at.client().post('/api/login', { email, password: 'a wrong password' }, { 'x-forwarded-for': address })

  beforeEach(async () => {
    await service.db.deleteFrom('sign_in_throttle').execute()
  })

  test('waits for the rest of the minute in which it failed too often, whatever the names', async () => {
    for (const name of ['a', 'b', 'c']) expect((await guess(`${name}@example.com`, strict)).status).toBe(401)
    const refused = await attempt(adminEmail, adminPassword, strict)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)

    await minutePassed()
    expect((await attempt(adminEmail, adminPassword, strict)).status).toBe(200)
    expect((await guess('d@example.com', strict)).status).toBe(401)
    expect((await guess('e@example.com', strict)).status).toBe(401)
  })

  test('that may fail once a minute waits after each failure, in every minute', async () => {
    const strictest = await startService({ LOGIN_ADDRESS_PER_MINUTE: '1' }, service.connection)
    for (const minute of [1, 2, 3]) {
      expect((await guess(`first${minute}@example.com`, strictest)).status).toBe(401)
      const refused = await guess(`second${minute}@example.com`, strictest)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50)
      await minutePassed()
    }
  })

  test('is not the one of X-Forwarded-For, which anybody can write', async () => {
    for (const [n, status] of [401, 401, 401, 429].entries()) {
      expect((await from(`192.0.2.${n}`, strict, `forwarded${n}@example.com`)).status).toBe(status)
    }
  })

  test.each([
    ['2001:db8:0:1::1', '2001:DB8:0:1:ffff::2', '2001:db8:0:2::1'],
    ['fe80::1', 'fe80::2:3:4:5', 'fe80:0:0:1::'],
    ['::ffff:192.0.2.7', '192.0.2.7', '::ffff:192.0.2.8'],
  ])('of IPv6 is its first 64 bits: %s is %s and not %s', async (one, same, other) => {
    for (const [n, status] of [401, 401, 401, 429].entries()) {
      expect((await from(n % 2 ? same : one, behindProxy, `${one}-${n}@example.com`)).status).toBe(status)
    }
    expect((await from(other, behindProxy, `${one}@example.com`)).status).toBe(401)
  })

  test('is the one of X-Forwarded-For when a configured proxy wrote it', async () => {
    for (const [n, status] of [401, 401, 401, 429].entries()) {
      expect((await from('192.0.2.1', behindProxy, `proxied${n}@example.com`)).status).toBe(status)
    }
    expect((await from('192.0.2.2', behindProxy, 'proxied@example.com')).status).toBe(401)
  })

  test('is one for all that a proxy passes on and that is none', async () => {
    for (const [n, status] of [401, 401, 401, 429].entries()) {
      const written = Array.from({ length: 3000 }, (_, at) => ((at * at * (n + 7)) % 9973).toString(36)).join('')
      expect((await from(written, behindProxy, `written${n}@example.com`)).status).toBe(status)
    }
  })
})

test('of 60 guesses at once over two replicas at most 12 are looked at', async () => {
  // Modules of its own: a process takes attempts one after the other, two processes do not.
  vi.resetModules()
  const support = await import('../support/service.ts')
  const replica = await support.startService({ LOGIN_ADDRESS_PER_MINUTE: '100000' }, service.connection)
  const { email } = await service.person()
  const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => guess(email, n % 2 ? replica : service)))
  const refused = answers.filter(({ status }) => status === 401).length
  expect(refused).toBeGreaterThanOrEqual(5)
  expect(refused).toBeLessThanOrEqual(12)
  expect(answers.filter(({ status }) => status === 429).length).toBe(60 - refused)
})

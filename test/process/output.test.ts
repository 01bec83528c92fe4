import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import { exampleApi } from '../support/examples.ts'
import { embeddedConnection, eventually, it, type Started, signedIn } from '../support/process.ts'

const password = 'a password that was configured'
const settings = { ADMIN_PASSWORD: password }
const requests = 100
const long = 'x'.repeat(2000)

/** More lines in the log than a pipe holds that nobody reads. */
async function fillLog({ url }: Started): Promise<void> {
  const refused = `${await url}/api/${long}`
  for (let sent = 0; sent < requests; sent++) expect((await fetch(refused, { method: 'POST' })).status).toBe(404)
}

/** The line of the log that holds a text. */
const lineWith = (service: Started, text: string): Promise<Record<string, unknown>> =>
  eventually(async () => {
    const found = service
      .stdout()
      .split('\n')
      .find((line) => line.includes(text))
    return JSON.parse(found ?? '')
  })

const answered = (stdout: string) => stdout.split('\n').filter((line) => line.includes(long) && line.endsWith('}'))

it('serves and stops without anybody who reads what it writes', async ({ start }) => {
  const service = start(settings)
  const url = await service.url
  service.child.stdout?.destroy()
  service.child.stderr?.destroy()
  await fillLog(service)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
})

it('serves and stops while the reader of its log stands still', async ({ start }) => {
  const service = start(settings)
  const url = await service.url
  service.child.stdout?.pause()
  await fillLog(service)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  service.child.on('exit', () => service.child.stdout?.resume())
  expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
})

it('writes the rest of its log before it ends by an error of its own', async ({ start }) => {
  const hook = 'process.on("SIGUSR2",()=>{throw(new Error("broken"))})'
  const service = start({ ...settings, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` })
  await service.url
  service.child.stdout?.pause()
  await fillLog(service)
  service.child.stderr?.once('data', () => service.child.stdout?.resume())
  service.child.kill('SIGUSR2')
  expect(await service.ended).toEqual({ code: 1, signal: null })
  expect(service.stderr()).toContain('Error: broken')
  expect(answered(service.stdout())).toHaveLength(requests)
})

it('logs a refusal as a line of JSON, with the time in UTC and the id that the fault names', async ({ start }) => {
  const service = start(settings)
  const refused = await fetch(`${await service.url}/api/users?name=somebody`)
  const { instance } = (await refused.json()) as { instance: string }
  expect(await lineWith(service, '/api/users')).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    reqId: instance.replace('urn:uuid:', ''),
    method: 'GET',
    path: '/api/users',
    status: 401,
    ms: expect.any(Number),
    address: '127.0.0.1',
    msg: 'answered',
  })
})

it('logs what it changed for a client that had gone meanwhile', async ({ data, start }) => {
  const service = start(settings)
  const url = await service.url
  const { cookies } = await signedIn(url, password)
  const database = new pg.Client(await embeddedConnection(data))
  await database.connect()
  await database.query('begin; lock table api')
  const headers = {
    'content-type': 'application/json',
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-csrf-token_platform': cookies.get('Csrf-Token_platform') as string,
  }
  const body = JSON.stringify(exampleApi())
  const hangUp = new AbortController()
  const asked = fetch(`${url}/api/apis`, { method: 'POST', headers, body, signal: hangUp.signal })
  await eventually(async () => {
    expect((await database.query('select from pg_locks where not granted')).rowCount).toBe(1)
  })
  hangUp.abort()
  await expect(asked).rejects.toThrow('aborted')
  await sleep(100)
  await database.query('commit')
  expect(await lineWith(service, 'the client had gone')).toMatchObject({
    level: 'info',
    method: 'POST',
    path: '/api/apis',
    status: 200,
    user: expect.any(String),
  })
  expect((await database.query('select from api')).rowCount).toBe(1)
  await database.end()
})

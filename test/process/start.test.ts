import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, expect, inject } from 'vitest'
import { createClient } from '../support/client.ts'
import { execute, freshDatabase, inDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { hasCurl } from '../support/has-curl.ts'
import {
  embeddedConnection,
  eventually,
  it,
  keepSecret,
  leaks,
  type Place,
  postmaster,
  type Started,
  signedIn,
} from '../support/process.ts'

const run = promisify(execFile)
const key = 'k'.repeat(32)
const password = 'a password that was configured'
const stopped = { code: 0, signal: null }
keepSecret(key)
keepSecret(password)

afterAll(() => {
  // Tokens, CSRF values, keys and passwords.
  expect(leaks()).toEqual([])
})

function madePassword({ stdout }: Started): string {
  const [, made] = /^Site Admin: admin@localhost {3}password: (\S+)$/m.exec(stdout()) ?? []
  if (!made) throw new Error(`No password in: ${stdout()}`)
  keepSecret(made)
  return made
}

/** The database as an operator names it. */
function urlOf(connection: pg.ClientConfig): string {
  if (connection.connectionString) return connection.connectionString
  const { user, host, port, database } = connection
  return `postgres://${user}@${encodeURIComponent(host as string)}:${port}/${database}`
}

async function databaseSettings(): Promise<Record<string, string>> {
  return { DATABASE_URL: urlOf(await freshDatabase()), SECRET_KEYS: key, ADMIN_PASSWORD: password }
}

async function expectRefusal({ ended, stdout, stderr }: Started, sentence: RegExp | string): Promise<void> {
  expect(await ended).toEqual({ code: 1, signal: null })
  expect(stderr()).toMatch(sentence)
  expect(stderr()).toMatch(/^[^\n]+\n$/)
  expect(stdout()).not.toContain('answers at')
}

it('shows at the first start what is needed to go on, and at the second start no password', async (place) => {
  const first = place.start()
  const url = await first.url
  const made = madePassword(first)
  expect(made.length).toBeGreaterThanOrEqual(20)
  expect(first.stdout().match(/Site Admin:/g)).toHaveLength(1)
  expect(first.stderr()).toBe('')

  const lines = first.stdout().match(/^ {2}curl .+$/gm) ?? []
  expect(lines).toHaveLength(2)
  if (await hasCurl()) await expectPastedLinesWork(place, lines)

  const client = await signedIn(url, made)
  const added = await client.post('/api/users', { Email: 'kept@example.com', Password: password, Role: [] })
  expect(added.status).toBe(200)
  const keys = join(place.data, 'secret-keys')
  expect((await stat(keys)).mode & 0o777).toBe(0o600)
  const before = await readFile(keys, 'utf8')
  keepSecret(before.trim())
  expect(await first.end('SIGTERM')).toEqual(stopped)

  const second = place.start()
  const again = createClient(await second.url)
  for (const [name, value] of client.cookies) again.cookies.set(name, value)
  expect((await again.get('/api/login/status')).status).toBe(200)
  expect((await again.get(`/api/users/${added.json.UserID}`)).json.Email).toBe('kept@example.com')
  expect(second.stdout()).not.toMatch(/password/i)
  expect(await readFile(keys, 'utf8')).toBe(before)
  expect(await readdir(place.data)).toEqual(['postgres', 'secret-keys'])
})

async function expectPastedLinesWork({ folder }: Place, lines: string[]): Promise<void> {
  const { stdout } = await run('sh', ['-c', lines.join('\necho\n')], { cwd: folder })
  const answers = stdout.split('\n').map((text) => JSON.parse(text))
  expect(answers).toHaveLength(2)
  for (const answer of answers) expect(answer).toMatchObject({ userName: 'admin@localhost' })
  const cookies = await readFile(join(folder, 'cookies'), 'utf8')
  for (const line of cookies.split('\n')) {
    if (/platform\t/.test(line)) keepSecret(line.split('\t').at(-1) as string)
  }
}

it('takes the password of the first Site Admin from the environment or from a file, and shows it nowhere', async ({
  folder,
  start,
}) => {
  const { ADMIN_PASSWORD: _, ...settings } = await databaseSettings()
  const fromEnvironment = start({ ...settings, ADMIN_PASSWORD: password })
  await signedIn(await fromEnvironment.url, password)
  expect(fromEnvironment.stdout()).toContain('Site Admin: admin@localhost   password: as configured\n')

  const file = join(folder, 'password')
  await writeFile(file, 'a password from a file\n')
  const url = urlOf(await freshDatabase())
  const fromFile = start({ ...settings, DATABASE_URL: url, ADMIN_PASSWORD_FILE: file })
  await signedIn(await fromFile.url, 'a password from a file')
})

it('embeds nothing when a database is named, and then needs keys', async ({ data, start }) => {
  const settings = await databaseSettings()
  const service = start(settings)
  const client = createClient(await service.url)
  expect((await client.get('/readyz')).status).toBe(200)
  expect(existsSync(data)).toBe(false)

  await expectRefusal(start({ ...settings, SECRET_KEYS: '' }), /^SECRET_KEYS is required with DATABASE_URL/)
})

it('ends with one sentence when a setting is wrong', async ({ data, folder, start }) => {
  const occupied = join(folder, 'file')
  await writeFile(occupied, '')
  await Promise.all([
    expectRefusal(start({ PORT: 'eighty' }), 'PORT must be a whole number from 0 to 65535 (it is "eighty").\n'),
    expectRefusal(start({ SECRET_KEYS: 'short' }), /^SECRET_KEYS must be keys of at least 32 characters each/),
    expectRefusal(start({ ADMIN_PASSWORD_FILE: join(folder, 'none') }), /^ADMIN_PASSWORD_FILE names .+cannot be read/),
    expectRefusal(start({ DATA_DIR: join(occupied, 'data') }), /^DATA_DIR leads to .+, where a file is in the way/),
    expectRefusal(start({ DATA_DIR: occupied }), /^DATA_DIR leads to .+, where a file is in the way/),
    expectRefusal(start({ DATA_DIR: join(folder, 'n'.repeat(300)) }), /^The database folder .+ cannot be made or read/),
  ])
  expect(existsSync(data)).toBe(false)
})

it('refuses keys of its own that somebody has emptied, or that cannot be read', async ({ data, start }) => {
  await mkdir(data)
  await chmod(data, 0o755)
  await writeFile(join(data, 'secret-keys'), '\n')
  const service = start()
  await expectRefusal(service, /secret-keys must hold keys of at least 32 characters each, one on a line\.\n$/)
  madePassword(service)
  expect(await postmaster(data)).toBeUndefined()

  await rm(join(data, 'secret-keys'))
  await mkdir(join(data, 'secret-keys'))
  await expectRefusal(start(), /^The keys in .+secret-keys cannot be read or made \(EISDIR\): check that .+\.\n$/)
})

it('refuses a database that a newer program, other words or nobody have made', async ({ start }) => {
  const newer = await freshDatabase()
  await execute(newer, [`insert into schema_migration (version, name, checksum) values (9999, '9999_later.sql', '')`])
  const settings = await databaseSettings()
  const service = start(settings)
  await service.url
  await service.end('SIGTERM')
  const nowhere = urlOf(inDatabase(inject('cluster').connection, 'nowhere'))
  await Promise.all([
    expectRefusal(
      start({ ...settings, DATABASE_URL: urlOf(newer) }),
      /^The database has schema version 9999 \(9999_later\.sql\), newer than this program's \d+: start a newer program\.\n$/,
    ),
    expectRefusal(
      start({ ...settings, FEDMEMBER_ID: 'other' }),
      'FEDMEMBER_ID is "other", but the data was written with "platform": set it back to that.\n',
    ),
    expectRefusal(
      start({ ...settings, DATABASE_URL: nowhere }),
      'PostgreSQL refuses the connection: database "nowhere" does not exist.\n',
    ),
  ])
})

it('says in one sentence why a database that answers is of no use', async ({ start }) => {
  const settings = await databaseSettings()
  const { DATABASE_URL = '' } = settings
  const occupied = await freshDatabase()
  await execute(occupied, ['drop table schema_migration'])
  const ascii = await freshDatabase("template template0 encoding 'SQL_ASCII' locale_provider libc locale 'C'")
  const tries: [string, RegExp][] = [
    [
      `${DATABASE_URL}?sslmode=verify-full`,
      /^The connection to PostgreSQL cannot be protected: The server does not sup/,
    ],
    [
      `${DATABASE_URL}?options=-csearch_path%3Dnowhere`,
      /^There is no schema for the tables \(.+\): make one that search_path names\.\n/,
    ],
    [urlOf(occupied), /^PostgreSQL refuses to make the tables: relation ".+" already exists\.\n/],
    [urlOf(ascii), /^The database has the encoding SQL_ASCII: make one that has UTF8\.\n/],
  ]
  for (const [url, sentence] of tries) await expectRefusal(start({ ...settings, DATABASE_URL: url }), sentence)
})

it('says that the address of a database has no password, where one is asked for', async ({ start }) => {
  const asking = (step: number, text: string) => {
    const head = Buffer.from('R........')
    head.writeInt32BE(head.length - 1 + text.length, 1)
    head.writeInt32BE(step, 5)
    return Buffer.concat([head, Buffer.from(text)])
  }
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(asking(10, 'SCRAM-SHA-256\0\0'))
      socket.once('data', () => socket.write(asking(11, 'r=any')))
    })
  })
  const port = await listening(server, 0)
  await expectRefusal(
    start({ DATABASE_URL: `postgres://app@127.0.0.1:${port}/app`, SECRET_KEYS: key }),
    'PostgreSQL asks for a password, and DATABASE_URL has none.\n',
  )
  server.close()
})

it('waits for a database that is not up yet', async ({ start }) => {
  const { DATABASE_URL = '', ...settings } = await databaseSettings()
  const port = await freePort()
  const address = new URL(DATABASE_URL)
  const service = start({ ...settings, DATABASE_URL: `postgres://app@127.0.0.1:${port}${address.pathname}` })
  await eventually(async () => expect(service.stdout()).toContain('cannot be used yet'))

  const server = createServer((socket) => passOn(socket, address))
  await listening(server, port)
  expect((await createClient(await service.url).get('/readyz')).status).toBe(200)
  expect(await service.end('SIGTERM')).toEqual(stopped)
  server.close()
})

it('says so when the database goes away while it starts', async ({ start }) => {
  const { DATABASE_URL = '', ...settings } = await databaseSettings()
  const address = new URL(DATABASE_URL)
  let connections = 0
  const server = createServer((socket) => (connections++ === 0 ? passOn(socket, address) : socket.destroy()))
  const port = await listening(server, 0)
  await expectRefusal(
    start({ ...settings, DATABASE_URL: `postgres://app@127.0.0.1:${port}${address.pathname}` }),
    /^The database could not be used while the service started \(.+\): start it again\.\n$/,
  )
  server.close()
})

/** Passes a connection on to the database. */
function passOn(socket: Socket, { hostname, port }: URL): void {
  const database = hostname.startsWith('%2F')
    ? connect(`${decodeURIComponent(hostname)}/.s.PGSQL.5432`)
    : connect({ host: hostname, port: Number(port || 5432) })
  for (const end of [socket, database]) end.on('error', () => {})
  socket.pipe(database).pipe(socket)
}

it('names the port of the OAuth login service', async ({ start }) => {
  const service = start({ ...(await databaseSettings()), OAUTH_PORT: '0' })
  await service.url
  const port = await eventually(async () => {
    const [, found] = /OAuth login service answers on port (\d+) as well/.exec(service.stdout()) ?? []
    if (!found) throw new Error(`No port in: ${service.stdout()}`)
    return found
  })
  expect((await createClient(`http://127.0.0.1:${port}`).get('/oauth/login')).status).toBe(200)
})

it('makes room in its own database for as many connections as it is allowed', async ({ data, start }) => {
  const service = start({ ADMIN_PASSWORD: password, DATABASE_POOL_SIZE: '200' })
  await service.url
  const client = new pg.Client(await embeddedConnection(data))
  await client.connect()
  const { rows } = await client.query(
    "select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as room",
  )
  await client.end()
  expect(rows[0].room).toBeGreaterThan(201)
})

it('stops while it still waits for the database', async ({ start }) => {
  const port = await freePort()
  const service = start({ DATABASE_URL: `postgres://app@127.0.0.1:${port}/app`, SECRET_KEYS: key })
  await eventually(async () => expect(service.stdout()).toContain('cannot be used yet'))
  expect(await service.end('SIGTERM')).toEqual(stopped)
  expect(service.stderr()).toBe('')
})

it('stops while it still makes its database, and goes on at the next start', async ({ data, start }) => {
  const service = start()
  await eventually(async () => expect(existsSync(data)).toBe(true))
  expect(await service.end('SIGINT', 'SIGINT')).toEqual(stopped)
  expect(service.stderr()).toBe('')
  expect(await postmaster(data)).toBeUndefined()

  const next = start()
  await next.url
  await signedIn(await next.url, madePassword(next.stdout().includes('Site Admin') ? next : service))
})

for (const signals of [['SIGTERM'], ['SIGINT', 'SIGINT']] as NodeJS.Signals[][]) {
  it(`finishes what is in flight at ${signals.join(' and ')}, and leaves no process`, async ({ data, start }) => {
    const service = start({ ADMIN_PASSWORD: password })
    const url = await service.url
    const pid = await postmaster(data)
    expect(pid).toBeDefined()

    const slow = await halfSent(url, JSON.stringify({ email: 'admin@localhost', password }))
    for (const signal of signals) service.child.kill(signal)
    await eventually(async () => expect(await readiness(url)).toMatch(/^(503|ECONNREFUSED)$/))
    expect(running(service.child)).toBe(true)
    expect(await slow.finish()).toBe(200)

    expect(await service.ended).toEqual(stopped)
    expect(service.stderr()).toBe('')
    expect(await postmaster(data)).toBeUndefined()
    expect(await readiness(url)).toBe('ECONNREFUSED')
  })
}

/** A sign-in of which the service has the headers and half of the body. */
async function halfSent(url: string, body: string): Promise<{ finish: () => Promise<number> }> {
  const headers = { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' }
  const sending = request(`${url}/api/login`, { method: 'POST', headers, agent: false })
  const answer = once(sending, 'response')
  answer.catch(() => {})
  sending.flushHeaders()
  await once(sending, 'continue')
  sending.write(body.slice(0, 10))
  return {
    finish: async () => {
      sending.end(body.slice(10))
      const [response] = await answer
      response.resume()
      return response.statusCode
    },
  }
}

function readiness(url: string): Promise<string> {
  return fetch(`${url}/readyz`).then(
    ({ status }) => String(status),
    (error) => error.cause?.code ?? String(error),
  )
}

function running({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

it('says plainly that the port is in use, and ends', async ({ start }) => {
  const server = createServer()
  const port = await listening(server, 0)
  const service = start({ ...(await databaseSettings()), PORT: String(port) })
  await expectRefusal(
    service,
    `The service cannot listen on HOST 127.0.0.1, PORT ${port}: another process uses that port.\n`,
  )
  server.close()
})

async function listening(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { beforeAll, expect, inject, type TestContext, test } from 'vitest'
import { sharedHome } from '../../src/database/embedded/account.ts'
import { type EmbeddedPostgres, startEmbedded } from '../../src/database/embedded.ts'
import { projectFolder } from '../../src/project-folder.ts'
import { builtProgram } from '../support/built.ts'
import { temporaryPrefix } from '../support/database.ts'

const project = fileURLToPath(projectFolder)
let built: string

beforeAll(async () => {
  built = await builtProgram(inject('cluster').run)
})

interface Place {
  skip: TestContext['skip']
  /** A folder that does not exist yet; its parent is made with it. */
  directory: string
  parent: string
  start(note?: (sentence: string) => void): Promise<EmbeddedPostgres>
  /** A service in a process of its own, with the lines that it prints. */
  service(): { child: ChildProcess; lines: AsyncIterator<string> }
}

/** A test in a folder of its own; what it started there is ended. The tests run at the same time, most of them wait. */
function it(name: string, behaviour: (place: Place) => Promise<void>): void {
  test.concurrent(name, { timeout: 40_000 }, async ({ skip }) => {
    const root = await mkdtemp(join(tmpdir(), `${temporaryPrefix}${process.pid}-`))
    await chmod(root, 0o755)
    const parent = join(root, 'data folder')
    const directory = join(parent, 'postgres')
    const running: EmbeddedPostgres[] = []
    const children: ChildProcess[] = []
    const start = async (note: (sentence: string) => void = () => {}) => {
      const started = await startEmbedded({ directory, note })
      running.push(started)
      return started
    }
    const service = () => {
      const child = spawnService(directory)
      children.push(child)
      return { child, lines: createInterface(child.stdout as Readable)[Symbol.asyncIterator]() }
    }
    try {
      await behaviour({ skip, directory, parent, start, service })
    } finally {
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(running.map(({ stop }) => stop()))
      const data = await realpath(directory).catch(() => '')
      if (data.startsWith(sharedHome)) await rm(data, { recursive: true, force: true })
      await rm(root, { recursive: true, force: true, maxRetries: 10 })
    }
  })
}

/** Starts the server, commits rows for ever and prints how many there are. */
function spawnService(directory: string): ChildProcess {
  const code = `
    import pg from ${JSON.stringify(join(project, 'node_modules/pg/esm/index.mjs'))}
    import { startEmbedded } from ${JSON.stringify(join(built, 'embedded.js'))}
    const { connection } = await startEmbedded({ directory: ${JSON.stringify(directory)} })
    const client = new pg.Client(connection)
    client.on('error', () => {})
    await client.connect()
    await client.query('create table line (number integer primary key)')
    for (let number = 1; ; number++) {
      await client.query('insert into line values ($1)', [number])
      console.log(number)
    }`
  return spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function query(connection: pg.ClientConfig, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

async function settings(connection: pg.ClientConfig, names: string[]): Promise<unknown> {
  const columns = names.map((name) => `current_setting('${name}') as "${name}"`)
  return (await query(connection, `select ${columns}`))[0]
}

async function eventually<T>(look: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + 10_000; ; await sleep(20)) {
    try {
      return await look()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

async function postmaster(directory: string): Promise<number> {
  return Number((await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n')[0])
}

function expectGone(pid: number): Promise<void> {
  return eventually(async () => {
    // A dead process may wait for its burial.
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    if (!state.includes(') Z ')) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
}

async function committed(lines: AsyncIterator<string>, atLeast: number): Promise<number> {
  for (;;) {
    const { value, done } = await lines.next()
    if (done) throw new Error('The service ended before it had written anything.')
    if (Number(value) >= atLeast) return Number(value)
  }
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

it('writes durably, keeps its data from one start to the next, and leaves no process and no socket', async ({
  directory,
  start,
}) => {
  const first = await start()
  await query(first.connection, 'create table kept (word text)', `insert into kept values ('here')`)
  expect(await settings(first.connection, ['fsync', 'server_encoding', 'listen_addresses', 'TimeZone'])).toEqual({
    fsync: 'on',
    server_encoding: 'UTF8',
    listen_addresses: '',
    TimeZone: 'UTC',
  })
  const pid = await postmaster(directory)
  await first.stop()
  await expectGone(pid)
  await expect(readdir(first.connection.host)).rejects.toThrow('ENOENT')

  const second = await start()
  expect(await query(second.connection, 'select word from kept')).toEqual([{ word: 'here' }])
})

it('ends with a service that is killed, and has every committed row at the next start', async ({
  directory,
  start,
  service,
}) => {
  const { child, lines } = service()
  const count = await committed(lines, 20)
  const pid = await postmaster(directory)
  await kill(child)
  await expectGone(pid)

  const { connection } = await start()
  const [{ found }] = (await query(connection, 'select count(*)::int as found from line')) as [{ found: number }]
  expect(found).toBeGreaterThanOrEqual(count)
})

it('finishes a first start that was killed, and leaves nothing of it', async ({ parent, start, service }) => {
  const { child } = service()
  await eventually(async () => expect(await readdir(parent)).toHaveLength(1))
  await kill(child)
  const { connection } = await start()
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await eventually(async () => expect(await readdir(parent)).toEqual(['postgres']))
})

it('starts the server again when it dies by itself', async ({ directory, start }) => {
  const notes: string[] = []
  const { connection } = await start((sentence) => notes.push(sentence))
  notes.length = 0
  await query(connection, 'create table kept (word text)', `insert into kept values ('here')`)
  for (const deaths of [1, 2]) {
    const pid = await postmaster(directory)
    process.kill(pid, 'SIGKILL')
    await expectGone(pid)
    expect(await eventually(() => query(connection, 'select word from kept'))).toEqual([{ word: 'here' }])
    expect(notes).toEqual(Array(deaths).fill('PostgreSQL ended by itself and is being started again.'))
  }
})

it('refuses a folder that another service uses, also one that nobody is connected to', async ({ directory, start }) => {
  const { connection } = await start()
  await expect(start()).rejects.toThrow(/^Another service is using the database folder .+: stop that one/)
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])

  // A server that does not even answer may be in use as well; its process is named.
  const pid = await postmaster(directory)
  process.kill(pid, 'SIGSTOP')
  try {
    await expect(start()).rejects.toThrow(`does not answer (process ${pid})`)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
})

it('refuses a folder with anything else in it, and leaves that alone', async ({ directory, parent, start }) => {
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'letter.txt'), 'Dear reader')
  await expect(start()).rejects.toThrow(/^The database folder .+ is not empty and holds no PostgreSQL data: choose/)
  expect(await readdir(directory)).toEqual(['letter.txt'])
  expect(await readdir(parent)).toEqual(['postgres'])
})

it('refuses the data of another major version', async ({ directory, start }) => {
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'PG_VERSION'), '15\n')
  await expect(start()).rejects.toThrow(/holds data of PostgreSQL 15, which PostgreSQL 18 cannot read/)
})

it('takes over from an orphan once nobody is connected to it', async ({ skip, directory, start, service }) => {
  skip(process.platform !== 'linux', 'finding the supervisor of a server needs /proc')
  const { child, lines } = service()
  const count = await committed(lines, 5)
  const pid = await postmaster(directory)
  await orphan(pid, child)

  const host = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n')[4] as string
  const guest = new pg.Client({ host, port: 5432, user: 'app', database: 'postgres' })
  await guest.connect()
  await expect(start()).rejects.toThrow(/^Another service is using the database folder/)
  await guest.end()

  const { connection } = await start()
  await expectGone(pid)
  const [{ found }] = (await query(connection, 'select count(*)::int as found from line')) as [{ found: number }]
  expect(found).toBeGreaterThanOrEqual(count)
  await expect(readdir(host)).rejects.toThrow('ENOENT')
})

/** Kills the service and the supervisor so that neither has time to stop the server. */
async function orphan(pid: number, child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP')
  const group = (await stat(pid)).group
  const others: number[] = []
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && Number(name) !== pid && (await stat(Number(name))).group === group)
      others.push(Number(name))
  }
  for (const other of others) process.kill(other, 'SIGKILL')
  await kill(child)
}

async function stat(pid: number): Promise<{ group: number }> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return { group: Number(text.slice(text.lastIndexOf(')')).split(' ')[3]) }
}

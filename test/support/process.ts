import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { inject, test } from 'vitest'
import { sharedHome } from '../../src/database/embedded/account.ts'
import { builtProgram } from './built.ts'
import { type Client, createClient } from './client.ts'
import { temporaryPrefix } from './database.ts'

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
}

/** The built service in a process of its own. */
export interface Started {
  child: ChildProcess
  /** What it has written so far. */
  stdout: () => string
  stderr: () => string
  /** Resolves with the address when it answers; rejects when it ends before. */
  url: Promise<string>
  ended: Promise<Ended>
  /** Sends the signal and waits for the end. */
  end: (...signals: NodeJS.Signals[]) => Promise<Ended>
}

export interface Place {
  /** A folder of the test's own, which is removed; data is where services keep theirs unless told otherwise. */
  folder: string
  data: string
  start: (settings?: Record<string, string>) => Started
}

const outputs: (() => string)[] = []
const secrets = new Set<string>()

/** A test in a folder of its own, at the same time as others; every process that it started is ended. */
export function it(name: string, behaviour: (place: Place) => Promise<void>, timeout = 180_000): void {
  test.concurrent(name, { timeout }, async ({ onTestFinished }) => {
    const built = await builtProgram(inject('cluster').run)
    const folder = await mkdtemp(join(tmpdir(), `${temporaryPrefix}${process.pid}-`))
    await chmod(folder, 0o755)
    const data = join(folder, 'data')
    const all: Started[] = []
    // Also when the test has run out of time.
    onTestFinished(() => remove(folder, data, all))
    const start = (settings: Record<string, string> = {}) => {
      const started = spawnService(built, { DATA_DIR: data, ...settings })
      all.push(started)
      return started
    }
    await behaviour({ folder, data, start })
  })
}

async function remove(folder: string, data: string, all: Started[]): Promise<void> {
  await Promise.all(all.map(({ end }) => end('SIGKILL')))
  await eventually(async () => {
    if (await postmaster(data)) throw new Error('PostgreSQL still runs.')
  }).catch(() => {})
  const elsewhere = await realpath(join(data, 'postgres')).catch(() => '')
  if (elsewhere.startsWith(sharedHome)) await rm(elsewhere, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
}

function spawnService(built: string, settings: Record<string, string>): Started {
  const child = spawn(process.execPath, [join(built, 'main.js')], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = { stdout: '', stderr: '' }
  outputs.push(() => written.stdout + written.stderr)
  const ended = new Promise<Ended>((resolve) => child.on('close', (code, signal) => resolve({ code, signal })))
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      written.stdout += text
      const [, address] = /answers at (http:\S+)\n/.exec(written.stdout) ?? []
      if (address) resolve(address)
    })
    ended.then(() => reject(new Error(`The service ended: ${written.stdout}${written.stderr}`)))
  })
  // Not every test waits for it.
  url.catch(() => {})
  child.stderr.setEncoding('utf8').on('data', (text) => {
    written.stderr += text
  })
  const end = (...signals: NodeJS.Signals[]) => {
    for (const signal of signals) child.kill(signal)
    return ended
  }
  return { child, stdout: () => written.stdout, stderr: () => written.stderr, url, ended, end }
}

/** The process id of the living embedded PostgreSQL of a data folder. */
export async function postmaster(data: string): Promise<number | undefined> {
  const pid = Number((await lockLines(data))[0])
  // A dead process may wait for its burial.
  const state = pid && (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
  return pid && state && !state.includes(') Z ') ? pid : undefined
}

/** How to connect to the embedded PostgreSQL of a data folder while a service runs it. */
export async function embeddedConnection(data: string): Promise<pg.ClientConfig> {
  return { host: (await lockLines(data))[4] as string, port: 5432, user: 'app', database: 'postgres' }
}

async function lockLines(data: string): Promise<string[]> {
  return (await readFile(join(data, 'postgres/postmaster.pid'), 'utf8').catch(() => '')).split('\n')
}

export async function eventually<T>(look: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + 15_000; ; await sleep(20)) {
    try {
      return await look()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

/** A client signed in as the Site Admin with this password; what it was issued must not be in any output. */
export async function signedIn(url: string, password: string): Promise<Client> {
  const client = createClient(url)
  const { status, text } = await client.signIn('admin@localhost', password)
  if (status !== 200) throw new Error(`could not sign in: ${text}`)
  keepSecret(password)
  for (const value of client.cookies.values()) keepSecret(value)
  return client
}

export function keepSecret(value: string): void {
  secrets.add(value).add(decodeURIComponent(value))
}

/** Every line, of all that services wrote, with a secret in it; but not those that show the password made for them. */
export function leaks(): string[] {
  const lines = outputs.flatMap((output) => output().split('\n'))
  const found = lines.filter((line) => [...secrets].some((value) => line.includes(value)))
  return found.filter((line) => !/^Site Admin: \S+ {3}password: \S+$|^ {2}curl .+\/api\/login$/.test(line))
}

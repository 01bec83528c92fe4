import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { project } from './settings.ts'

export const adminPassword = 'the password of the benchmark'

/** A server in a process of its own. */
export interface Server {
  name: string
  url: string
  pid: number
  /** From the start of the process to the first 200 of /readyz. */
  readyMs: number
  /** The last lines that it wrote. */
  lastWords: () => string
  stop: () => Promise<void>
}

// The words of `npm start` behind `node`: flags, then the program.
const startWords = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  .scripts.start.split(' ')
  .slice(1)

/** Starts the service as `npm start` does, over a database or, with a data folder instead, over its embedded one. */
export function startService(
  where: { DATABASE_URL: string; DROPBOX_FILE_LIMIT?: string } | { DATA_DIR: string },
): Promise<Server> {
  const secrets = { SECRET_KEYS: 'a-key-for-the-benchmark-of-32-characters', ADMIN_PASSWORD: adminPassword }
  return start('the service', [...startWords.slice(0, -1), join(project, startWords.at(-1))], { ...secrets, ...where })
}

/** Starts the floor. `constants` is what it answers without looking. */
export function startFloor(databaseUrl: string, constants: { user: string; domains: string }): Promise<Server> {
  const { user, domains } = constants
  const script = fileURLToPath(new URL('./floor/server.js', import.meta.url))
  return start('the floor', [script], { DATABASE_URL: databaseUrl, FLOOR_USER: user, FLOOR_DOMAINS: domains })
}

async function start(name: string, command: string[], settings: Record<string, string>): Promise<Server> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'platform-api-bench-log-'))
  const log = join(folder, 'log')
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  // A file, not a pipe: nobody need read along while the load is on.
  const output = openSync(log, 'a')
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PORT: String(port), ...settings },
    stdio: ['ignore', output, output],
  })
  const lastWords = () => readFileSync(log, 'utf8').trimEnd().split('\n').slice(-5).join('\n')
  await untilReady(name, url, child, lastWords)
  const readyMs = performance.now() - began
  return { name, url, pid: child.pid as number, readyMs, lastWords, stop: () => stop(child, folder) }
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
}

async function untilReady(name: string, url: string, child: ChildProcess, lastWords: () => string): Promise<void> {
  for (const since = performance.now(); performance.now() - since < 60_000; await sleep(4)) {
    const status = await fetch(`${url}/readyz`).then(
      async (answer) => {
        await answer.text()
        return answer.status
      },
      () => 0,
    )
    if (status === 200) return
    if (child.exitCode !== null) break
  }
  child.kill()
  throw new Error(`${name} did not start: ${lastWords()}`)
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}

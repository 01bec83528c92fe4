import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { type Config, readConfig } from './config.ts'
import { EmbeddedPostgresError } from './database/embedded/error.ts'
import { startEmbedded } from './database/embedded.ts'
import { isDatabaseUnavailable, reasonUnavailable } from './database/errors.ts'
import { MigrationError, migrate } from './database/migrate.ts'
import { startRefusal } from './database/start-refusal.ts'
import { ConfigError } from './setting.ts'
import { StartError } from './start-error.ts'

const databaseWaitSeconds = 60
// Container engines kill what has not ended after ten seconds.
const stopWithinMs = 9000

const stopping = new AbortController()
/** How to end what has been started, in the order of starting. */
const ends: (() => Promise<unknown>)[] = []

async function start(config: Config): Promise<void> {
  // The program loads while the database starts and answers.
  const [{ serve }, connection] = await Promise.all([import('./serve.ts'), migratedDatabase(config)])
  await serve(config, connection, { say, ends, stopping: stopping.signal })
}

async function migratedDatabase(config: Config): Promise<ClientConfig> {
  const connection = config.databaseUrl ? { connectionString: config.databaseUrl } : await startOwnDatabase(config)
  await migrateWhenReachable(connection, config.databaseUrl ? 'start it, or correct DATABASE_URL' : 'start again')
  return connection
}

async function startOwnDatabase(config: Config): Promise<ClientConfig> {
  const starting = startEmbedded({
    directory: `${config.dataDir}/postgres`,
    // Besides the pool: one listens for changes, one migrates, some are kept for the superuser, and people look inside.
    settings: { max_connections: String(config.databasePoolSize + 20) },
    note: say,
  })
  // Also when the stop signal comes before it has started.
  ends.push(() =>
    starting.then(
      ({ stop }) => stop(),
      () => {},
    ),
  )
  return (await starting).connection
}

/** A database that starts together with the service may take a while to answer. */
async function migrateWhenReachable(connection: ClientConfig, advice: string): Promise<void> {
  const giveUp = performance.now() + databaseWaitSeconds * 1000
  for (let wait = 100; ; wait = Math.min(wait * 2, 3000)) {
    try {
      return await migrate(connection)
    } catch (error) {
      if (stopping.signal.aborted) throw error
      if (!isDatabaseUnavailable(error)) {
        const refusal = startRefusal(error)
        throw refusal ? new StartError(refusal) : error
      }
      const reason = reasonUnavailable(error)
      if (performance.now() > giveUp) {
        const waited = `The database could not be used for ${databaseWaitSeconds} seconds (${reason})`
        throw new StartError(`${waited}: ${advice}.`)
      }
      say(`The database cannot be used yet (${reason}): trying again.`)
      await sleep(wait)
    }
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function complain(error: unknown): void {
  const plain = [ConfigError, MigrationError, EmbeddedPostgresError, StartError].some((kind) => error instanceof kind)
  process.stderr.write(`${plain ? (error as Error).message : (error as Error).stack}\n`)
}

const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
// A terminal sends its signal more than once: to npm, which passes it on, and to this process.
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => stopping.abort(name))

// Whoever reads the output may go: the service goes on.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

let exitCode = 0
let isBroken = false
process.on('uncaughtException', (error) => {
  complain(error)
  if (!isBroken) exit(1)
  isBroken = true
})
try {
  await Promise.race([start(readConfig(process.env)), stopped])
  await stopped
} catch (error) {
  complain(error)
  exitCode = 1
}
// The embedded database ends with this process in any case.
setTimeout(() => exit(exitCode), stopWithinMs)
for (const end of ends.reverse()) await end().catch(complain)
exit(exitCode)

/** Ends the process when the log is written. */
async function exit(code: number): Promise<void> {
  const { endLog } = await import('./log-output.ts')
  await endLog()
  process.exit(code)
}

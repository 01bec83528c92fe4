import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import pg, { type ClientConfig } from 'pg'
import { keyRing } from './access/keys.ts'
import { buildApp } from './app.ts'
import { bootstrap } from './bootstrap.ts'
import { type Config, readConfig } from './config.ts'
import { connect } from './database/connect.ts'
import { EmbeddedPostgresError } from './database/embedded/error.ts'
import { startEmbedded } from './database/embedded.ts'
import { isDatabaseUnavailable } from './database/errors.ts'
import { MigrationError, migrate } from './database/migrate.ts'
import { readOrMakeKeys } from './key-file.ts'
import { ConfigError } from './setting.ts'
import { vendorNames } from './vendor.ts'
import { welcome } from './welcome.ts'

const databaseWaitSeconds = 60
// Container engines kill what has not ended after ten seconds.
const stopWithinMs = 9000

/** Why the service cannot start, in one plain sentence for the operator. */
class StartError extends Error {}

const stopping = new AbortController()
/** How to end what has been started, in the order of starting. */
const ends: (() => Promise<unknown>)[] = []

async function start(config: Config): Promise<void> {
  const connection = config.databaseUrl ? { connectionString: config.databaseUrl } : await startOwnDatabase(config)
  await migrateWhenReachable(connection)

  let app: FastifyInstance | undefined
  const db = connect(connection, {
    poolSize: config.databasePoolSize,
    namedStatements: config.databaseNamedStatements,
    onIdleError: (error) => app?.log.warn({ err: error }, 'a database connection broke'),
  })
  ends.push(() => db.destroy())
  const admin = await bootstrap(db, config)
  // Said at once: a password that was stored but never shown would lock everybody out.
  if (admin) say(`Site Admin: ${admin.email}   password: ${admin.madePassword ?? 'as configured'}`)

  const keys = keyRing(config.secretKeys ?? readOrMakeKeys(config.dataDir))
  app = await buildApp({ config, vendor: vendorNames(config), keys, db, connection })
  ends.push(() => close(app))
  const address = await listen(app, config)
  say(welcome(config.publicUrl ?? address, admin))
}

async function startOwnDatabase(config: Config): Promise<ClientConfig> {
  const starting = startEmbedded({ directory: `${config.dataDir}/postgres`, note: say })
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
async function migrateWhenReachable(connection: ClientConfig): Promise<void> {
  const giveUp = performance.now() + databaseWaitSeconds * 1000
  for (let wait = 100; ; wait = Math.min(wait * 2, 3000)) {
    try {
      return await migrate(connection)
    } catch (error) {
      if (stopping.signal.aborted) throw error
      if (isRefusal(error)) throw new StartError(`PostgreSQL refuses the connection: ${error.message}.`)
      if (!isDatabaseUnavailable(error)) throw error
      const reason = (error as Error).message || 'the connection was refused'
      if (performance.now() > giveUp) throw new StartError(`The database does not answer: ${reason}.`)
      say(`The database does not answer yet (${reason}): trying again.`)
      await sleep(wait)
    }
  }
}

/** Whether the address is right, but the account, its password or the database's name are not. */
function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^(28...|3D000|42501)$/.test(error.code ?? '')
}

async function listen(app: FastifyInstance, { host, port, oauthPort }: Config): Promise<string> {
  const address = await app.listen({ host, port }).catch(cannotListen(`HOST ${host}, PORT ${port}`))
  await app.listenForOAuth().catch(cannotListen(`HOST ${host}, OAUTH_PORT ${oauthPort}`))
  return address
}

function cannotListen(place: string): (error: NodeJS.ErrnoException) => never {
  return ({ code, message }) => {
    const reason = code === 'EADDRINUSE' ? 'another process uses that port' : message
    throw new StartError(`The service cannot listen on ${place}: ${reason}.`)
  }
}

async function close(app: FastifyInstance | undefined): Promise<void> {
  app?.log.info({ signal: stopping.signal.reason }, 'stopping')
  await app?.close()
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

let exitCode = 0
try {
  await Promise.race([start(readConfig(process.env)), stopped])
  await stopped
} catch (error) {
  complain(error)
  exitCode = 1
}
// The embedded database ends with this process in any case.
setTimeout(() => process.exit(exitCode), stopWithinMs)
for (const end of ends.reverse()) await end().catch(complain)
process.exit(exitCode)

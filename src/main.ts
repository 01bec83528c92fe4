import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { ClientConfig } from 'pg'
import { keyRing } from './access/keys.ts'
import { buildApp } from './app.ts'
import { bootstrap } from './bootstrap.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { connect } from './database/connect.ts'
import { EmbeddedPostgresError } from './database/embedded/error.ts'
import { type EmbeddedPostgres, startEmbedded } from './database/embedded.ts'
import { isDatabaseUnavailable } from './database/errors.ts'
import { MigrationError, migrate } from './database/migrate.ts'
import { readOrMakeKeys } from './key-file.ts'
import { vendorNames } from './vendor.ts'
import { welcome } from './welcome.ts'

const databaseWaitSeconds = 60

async function start(config: Config): Promise<void> {
  const embedded = config.databaseUrl ? undefined : await startOwnDatabase(config)
  try {
    await serve(config, embedded)
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

async function startOwnDatabase(config: Config): Promise<EmbeddedPostgres> {
  return startEmbedded({ directory: `${config.dataDir}/postgres`, note: say })
}

async function serve(config: Config, embedded: EmbeddedPostgres | undefined): Promise<void> {
  const connection: ClientConfig = embedded?.connection ?? { connectionString: config.databaseUrl as string }
  await migrateWhenReachable(connection)

  let app: FastifyInstance | undefined
  const db = connect(connection, {
    poolSize: config.databasePoolSize,
    namedStatements: config.databaseNamedStatements,
    onIdleError: (error) => app?.log.warn({ err: error }, 'a database connection broke'),
  })
  const admin = await bootstrap(db, config)
  // Said at once: a password that was stored but never shown would lock everybody out.
  if (admin) say(`Site Admin: ${admin.email}   password: ${admin.madePassword ?? 'as configured'}`)

  const keys = keyRing(config.secretKeys ?? readOrMakeKeys(config.dataDir))
  app = await buildApp({ config, vendor: vendorNames(config), keys, db, connection })
  const address = await app.listen({ host: config.host, port: config.port })
  say(welcome(config.publicUrl ?? address, admin))

  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    app.log.info({ signal }, 'stopping')
    await app.close()
    await db.destroy()
    await embedded?.stop()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** A database that starts together with the service may take a while to answer. */
async function migrateWhenReachable(connection: ClientConfig): Promise<void> {
  const giveUp = performance.now() + databaseWaitSeconds * 1000
  for (let wait = 100; ; wait = Math.min(wait * 2, 3000)) {
    try {
      return await migrate(connection)
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > giveUp) throw error
      say(`The database does not answer yet (${(error as Error).message}): trying again.`)
      await sleep(wait)
    }
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

try {
  await start(readConfig(process.env))
} catch (error) {
  const plain = [ConfigError, MigrationError, EmbeddedPostgresError].some((kind) => error instanceof kind)
  process.stderr.write(`${plain ? (error as Error).message : (error as Error).stack}\n`)
  process.exitCode = 1
}

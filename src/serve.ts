import type { FastifyInstance } from 'fastify'
import type { ClientConfig } from 'pg'
import { keyRing } from './access/keys.ts'
import { buildApp } from './app.ts'
import { bootstrap } from './bootstrap.ts'
import type { Config } from './config.ts'
import { connect } from './database/connect.ts'
import { isDatabaseUnavailable, reasonUnavailable } from './database/errors.ts'
import { readOrMakeKeys } from './key-file.ts'
import { StartError } from './start-error.ts'
import { vendorNames } from './vendor.ts'
import { welcome } from './welcome.ts'

/** The process that serves: where it says something, what is ended with it, and why it stops. */
export interface Process {
  say: (text: string) => void
  ends: (() => Promise<unknown>)[]
  stopping: AbortSignal
}

/**
 * Listens, over a database that has been migrated.
 * @throws ConfigError, StartError
 */
export async function serve(config: Config, connection: ClientConfig, { say, ends, stopping }: Process): Promise<void> {
  let app: FastifyInstance | undefined
  const db = connect(connection, {
    poolSize: config.databasePoolSize,
    namedStatements: config.databaseNamedStatements,
    onIdleError: (error) => app?.log.warn({ err: error }, 'a database connection broke'),
  })
  ends.push(() => db.destroy())
  const admin = await bootstrap(db, config).catch(notUsable)
  // Said at once: a password that was stored but never shown would lock everybody out.
  if (admin) say(`Site Admin: ${admin.email}   password: ${admin.madePassword ?? 'as configured'}`)

  const keys = keyRing(config.secretKeys ?? readOrMakeKeys(config.dataDir))
  app = await buildApp({ config, vendor: vendorNames(config), keys, db, connection })
  ends.push(async () => {
    app?.log.info({ signal: stopping.reason }, 'stopping')
    await app?.close()
  })
  const { address, oauthPort } = await listen(app, config)
  say(welcome(config.publicUrl ?? address, admin))
  if (oauthPort !== undefined) say(`The OAuth login service answers on port ${oauthPort} as well.`)
}

function notUsable(error: unknown): never {
  if (!isDatabaseUnavailable(error)) throw error
  const reason = reasonUnavailable(error)
  throw new StartError(`The database could not be used while the service started (${reason}): start it again.`)
}

async function listen(app: FastifyInstance, { host, port, oauthPort }: Config) {
  const address = await app.listen({ host, port }).catch(cannotListen(`HOST ${host}, PORT ${port}`))
  const listening = app.listenForOAuth().catch(cannotListen(`HOST ${host}, OAUTH_PORT ${oauthPort}`))
  return { address, oauthPort: await listening }
}

const reasons: Record<string, string> = {
  EADDRINUSE: 'another process uses that port',
  EACCES: 'this account may not use that port; mostly it may from 1024 on',
  EADDRNOTAVAIL: 'this machine does not have that address',
}

function cannotListen(place: string): (error: NodeJS.ErrnoException) => never {
  return ({ code = '', message }) => {
    throw new StartError(`The service cannot listen on ${place}: ${reasons[code] ?? message}.`)
  }
}

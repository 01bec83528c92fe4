import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { ClientConfig } from 'pg'
import { afterAll, inject } from 'vitest'
import { keyRing } from '../../src/access/keys.ts'
import { buildApp } from '../../src/app.ts'
import { bootstrap } from '../../src/bootstrap.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { connect, poolOf } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/tables.ts'
import type { ThreadFile } from '../../src/thread.ts'
import { vendorNames } from '../../src/vendor.ts'
import { builtProgram } from './built.ts'
import { type Client, createClient } from './client.ts'
import { conformity } from './conformity.ts'
import { freshDatabase } from './database.ts'
import { eventually } from './process.ts'

export const adminEmail = 'admin@localhost'
export const adminPassword = 'correct horse battery staple'

export interface Service {
  url: string
  app: FastifyInstance
  config: Config
  db: Database
  connection: ClientConfig
  /** A new client that is not signed in. */
  client: () => Client
  /** A new client signed in as the first Site Admin. */
  siteAdmin: () => Promise<Client>
  /** A new user, and a client signed in as them. */
  person: (...roles: string[]) => Promise<{ client: Client; id: string; email: string; password: string }>
  stop: () => Promise<void>
}

let people = 0
const poolSize = 5

/** A thread loads what is built only. */
export const threadFile: ThreadFile = async (folder) =>
  pathToFileURL(join(await builtProgram(inject('cluster').run), `${folder}-thread.js`))

/** The service waits a second for a connection; on a machine that tests keep busy it may take longer to make. */
async function openConnections(db: Database): Promise<void> {
  const pool = poolOf(db)
  const open = Array.from({ length: poolSize }, () => eventually(() => pool.connect()))
  for (const connection of await Promise.all(open)) connection.release()
}

/** Starts the service on a free port over a fresh database, or over `connection`; it stops when the test file ends. */
export async function startService(settings: Record<string, string> = {}, connection?: ClientConfig): Promise<Service> {
  const config = readConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    SECRET_KEYS: 'a key for tests of thirty-two characters'.replaceAll(' ', '-'),
    ADMIN_PASSWORD: adminPassword,
    ...settings,
  })
  const used = connection ?? (await freshDatabase())
  const db = connect(used, { poolSize, namedStatements: true, onIdleError: () => {} })
  await openConnections(db)
  await bootstrap(db, config)
  const keys = keyRing(config.secretKeys ?? [])
  const app = await buildApp({ config, vendor: vendorNames(config), keys, db, connection: used, threadFile })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })

  const check = conformity(app, settings)
  const client = () => createClient(url, check)
  const signedIn = async (email: string, password: string) => {
    const created = client()
    const answer = await created.signIn(email, password)
    if (answer.status !== 200) throw new Error(`could not sign in: ${answer.text}`)
    return created
  }
  let stopped = false
  const stop = async () => {
    if (stopped) return
    stopped = true
    await app.close()
    await db.destroy()
  }
  afterAll(stop)

  const siteAdmin = () => signedIn(adminEmail, adminPassword)
  return {
    url,
    app,
    config,
    db,
    connection: used,
    client,
    siteAdmin,
    person: async (...roles) => {
      const email = `person${++people}@example.com`
      const password = `password of person ${people}`
      const added = await (await siteAdmin()).post('/api/users', { Email: email, Password: password, Role: roles })
      if (added.status !== 200) throw new Error(`could not add a user: ${added.text}`)
      return { client: await signedIn(email, password), id: added.json.UserID, email, password }
    },
    stop,
  }
}

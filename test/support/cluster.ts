import { chmod, lstat, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { sharedHome } from '../../src/database/embedded/account.ts'
import { startEmbedded } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { removeBuilt } from './built.ts'
import { execute, inDatabase, temporaryPrefix } from './database.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** An admin connection, and the prefix of all databases of this run. */
    cluster: { connection: pg.ClientConfig; run: string }
  }
}

/** One server for the whole run, with a migrated template database that `freshDatabase` copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = `t${process.pid}_${Date.now().toString(36)}`
  const { connection, stop } = await server()
  const template = `${run}_tpl`
  try {
    await execute(connection, [`create database "${template}"`])
    await migrate(inDatabase(connection, template))
  } catch (error) {
    await dropAll(connection, run).finally(stop)
    throw error
  }
  project.provide('cluster', { connection, run })
  return async () => {
    await removeBuilt(run)
    await dropAll(connection, run).finally(stop)
  }
}

async function server(): Promise<{ connection: pg.ClientConfig; stop: () => Promise<void> }> {
  const url = process.env.DATABASE_URL
  if (url) return { connection: { connectionString: url }, stop: async () => {} }

  await removeLeftovers()
  const folder = await mkdtemp(join(tmpdir(), `${temporaryPrefix}${process.pid}-`))
  await chmod(folder, 0o755)
  const directory = join(folder, 'postgres')
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }
  const { connection, stop } = await startEmbedded({ directory, settings, note: console.warn })
  return { connection, stop: () => stop().finally(() => remove(folder)) }
}

async function dropAll(connection: pg.ClientConfig, run: string): Promise<void> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    const found = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [`${run}_`],
    )
    for (const { datname } of found.rows) await client.query(`drop database "${datname}" with (force)`)
  } finally {
    await client.end()
  }
}

/** What runs left that were killed: their server stops by itself, its data stay. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(temporaryPrefix) || isAlive(Number.parseInt(name.slice(temporaryPrefix.length), 10))) continue
    const folder = join(tmpdir(), name)
    const found = await lstat(folder).catch(() => undefined)
    if (!found || found.uid !== process.getuid?.()) continue
    const lock = await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8').catch(() => '')
    // Another run may be at it too.
    if (!isAlive(Number.parseInt(lock, 10))) await remove(folder).catch(() => {})
  }
}

/** The folder, and the data where the launcher put them when root's temporary folder is closed to others. */
async function remove(folder: string): Promise<void> {
  const data = await realpath(join(folder, 'postgres')).catch(() => '')
  if (data.startsWith(sharedHome)) await rm(data, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

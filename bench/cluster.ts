import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { sharedHome } from '../src/database/embedded/account.ts'
import { startEmbedded } from '../src/database/embedded.ts'

/** The PostgreSQL of one run, with its usual settings, durable ones included. */
export interface Cluster {
  /** The DATABASE_URL of a database. */
  url: (database: string) => string
  createDatabase: (database: string) => Promise<void>
  connect: (database: string) => Promise<pg.Client>
  /** The process id of the server; its children are the connections. */
  pid: number
  version: string
  stop: () => Promise<void>
}

/** Starts a fresh cluster in a temporary folder, which `stop` removes. */
export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'platform-api-bench-'))
  await chmod(folder, 0o755)
  const directory = join(folder, 'postgres')
  const { connection, stop } = await startEmbedded({ directory, note: console.warn })

  const connect = async (database: string) => {
    const client = new pg.Client({ ...connection, database })
    await client.connect()
    return client
  }
  const query = async (text: string) => {
    const client = await connect('postgres')
    return client.query(text).finally(() => client.end())
  }
  return {
    url: (database) =>
      `postgres://${connection.user}@localhost/${database}?host=${encodeURIComponent(connection.host)}`,
    createDatabase: async (database) => {
      await query(`create database ${database}`)
    },
    connect,
    pid: Number.parseInt(await readFile(join(directory, 'postmaster.pid'), 'utf8'), 10),
    version: (await query('show server_version')).rows[0].server_version,
    stop: () => stop().finally(() => removeFolder(folder)),
  }
}

/** Removes a folder that held a cluster, and the data where the launcher put them when the folder is closed to others. */
export async function removeFolder(folder: string): Promise<void> {
  const data = await realpath(join(folder, 'postgres')).catch(() => '')
  if (data.startsWith(sharedHome)) await rm(data, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}

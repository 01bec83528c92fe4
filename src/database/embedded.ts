import { dirname, resolve } from 'node:path'
import { serverAccount } from './embedded/account.ts'
import { findBinaries } from './embedded/binaries.ts'
import { prepareClusterFolder } from './embedded/cluster-folder.ts'
import { keepRunning } from './embedded/keep-running.ts'
import { makeSocketFolder, removeSocketFolder } from './embedded/sockets.ts'

export interface EmbeddedPostgres {
  /** What a Pool or Client of pg takes; complete, so that PGPORT and the like in the environment change nothing. */
  connection: { host: string; port: number; user: string; database: string; ssl: false }
  /** Ends the server and its connections. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** The cluster's folder, created when missing. */
  directory: string
  /** Server settings, such as `fsync: 'off'` for tests. */
  settings?: Record<string, string>
  /** Is told, in plain sentences, what the operator should know. */
  note?: (sentence: string) => void
}

/**
 * Starts a PostgreSQL of this process's own, from the binaries that npm installs, on a unix socket that only this
 * account can reach. It ends with this process, whatever that dies of, and is started again when it dies by itself.
 * @throws EmbeddedPostgresError when there are no binaries for this platform, the folder is of no use or in use by
 * another service, or the server does not start.
 */
export async function startEmbedded({
  directory,
  settings = {},
  note = () => {},
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const wanted = resolve(directory)
  const account = await serverAccount()
  const binaries = await findBinaries(account, dirname(wanted))
  const folder = await prepareClusterFolder(wanted, { binaries, account, sync: settings.fsync !== 'off', note })
  const sockets = await makeSocketFolder(account)
  try {
    const stop = await keepRunning({ postgres: binaries.postgres, folder, sockets, settings, account }, note)
    return {
      connection: { host: sockets, port: 5432, user: 'app', database: 'postgres', ssl: false },
      stop: () => stop().finally(() => removeSocketFolder(sockets)),
    }
  } catch (error) {
    await removeSocketFolder(sockets)
    throw error
  }
}

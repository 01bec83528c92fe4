import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cluster, removeFolder } from './cluster.ts'
import { median } from './report.ts'
import { startService } from './servers.ts'
import { startUps } from './settings.ts'

/** Milliseconds from the start of the process to the first 200 of /readyz. */
export interface StartUps {
  freshEmbedded: number
  existingEmbedded: number
  withDatabaseUrl: number
}

/** Starts the service alone, some times in each of the ways that it can start. */
export async function measureStartUps(cluster: Cluster, ends: (() => Promise<void>)[]): Promise<StartUps> {
  process.stdout.write('starting ')
  const fresh = []
  const existing = []
  const withUrl = []
  for (let time = 0; time < startUps; time++) {
    const folder = await mkdtemp(join(tmpdir(), 'platform-api-bench-start-'))
    await chmod(folder, 0o755)
    ends.push(() => removeFolder(folder))
    fresh.push(await startOnce({ DATA_DIR: folder }))
    existing.push(await startOnce({ DATA_DIR: folder }))
    withUrl.push(await startOnce({ DATABASE_URL: cluster.url('bench_small') }))
    process.stdout.write('.')
  }
  process.stdout.write('\n')
  return { freshEmbedded: median(fresh), existingEmbedded: median(existing), withDatabaseUrl: median(withUrl) }
}

async function startOnce(where: Parameters<typeof startService>[0]): Promise<number> {
  const service = await startService(where)
  await service.stop()
  return service.readyMs
}

import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { signIn } from '../client.ts'
import { startCluster } from '../cluster.ts'
import { adminPassword, startService } from '../servers.ts'
import { fetchDocuments, sampleOf } from './documents.ts'
import type { Site } from './exchange.ts'
import type { Outcome } from './go-through.ts'
import { printReport, saveReport } from './report.ts'
import type { Share } from './share.ts'

const { values } = parseArgs({ options: { sample: { type: 'string' }, only: { type: 'string', default: '' } } })
const only = new RegExp(values.only)
const ends: (() => Promise<void>)[] = []

/** Sends real documents through a service over a database of its own. */
async function corpus(): Promise<void> {
  const began = performance.now()
  const folder = await mkdtemp(join(tmpdir(), 'platform-api-corpus-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const all = (await fetchDocuments(folder)).filter((path) => only.test(path))
  const paths = sampleOf(all, Number(values.sample ?? Number.POSITIVE_INFINITY))

  const cluster = await startCluster()
  ends.push(cluster.stop)
  await cluster.createDatabase('corpus')
  const service = await startService({ DATABASE_URL: cluster.url('corpus'), DROPBOX_FILE_LIMIT: '20971520' })
  ends.push(service.stop)
  const site = { url: service.url, headers: await signIn(service.url, adminPassword) }

  const outcomes = await goThroughAll(site, paths)
  printReport(outcomes, (performance.now() - began) / 1000)
  saveReport(outcomes, folder)
}

/** Shares the documents out to as many threads as there are processors. */
async function goThroughAll(site: Site, paths: string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const threads = cpus().map((_, mine) => {
    const share: Share = { site, paths: paths.filter((_, index) => index % cpus().length === mine) }
    const thread = new Worker(new URL('./share.js', import.meta.url), { workerData: share })
    thread.on('message', (outcome: Outcome) => {
      outcomes.push(outcome)
      if (outcomes.length % 50 === 0) process.stdout.write(`${outcomes.length} `)
    })
    return new Promise<void>((resolve, reject) => {
      thread.once('error', reject)
      thread.once('exit', () => resolve())
    })
  })
  await Promise.all(threads)
  return outcomes.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

async function stopAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end().catch(() => {})
}

process.once('SIGINT', () => stopAll().finally(() => process.exit(130)))
process.once('SIGTERM', () => stopAll().finally(() => process.exit(143)))
try {
  await corpus()
} finally {
  await stopAll()
}

import { startCluster } from './cluster.ts'
import { measureImports } from './imports.ts'
import { operations } from './operations.ts'
import { residentMemory } from './processes.ts'
import { measureRefusals } from './refusals.ts'
import { printReport, saveReport } from './report.ts'
import { measureInRounds } from './rounds.ts'
import { prepareSite, signInAgain, stopSite } from './site.ts'
import { measureStartUps } from './start-up.ts'

const ends: (() => Promise<void>)[] = []
let interrupted = false

async function stopAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end().catch(() => {})
}

/** The whole benchmark: two databases, a service and a floor over each, all operations in turn, then starts alone. */
async function bench(): Promise<void> {
  const began = performance.now()
  const cluster = await startCluster()
  ends.push(cluster.stop)

  const sites = { small: await prepareSite(cluster, 'small', ends), large: await prepareSite(cluster, 'large', ends) }
  const idle = residentMemory(sites.small.service.pid)

  const measured = []
  for (const operation of operations) {
    for (const site of Object.values(sites)) await signInAgain(site)
    measured.push(await measureInRounds(operation, sites, cluster))
  }

  const imports = await measureImports(sites.small)
  const refusals = await measureRefusals(sites.small)
  const loaded = residentMemory(sites.small.service.pid)
  await stopSite(sites.small)
  await stopSite(sites.large)
  const startUps = await measureStartUps(cluster, ends)

  const seconds = (performance.now() - began) / 1000
  const report = { measured, imports, refusals, memory: { idle, loaded }, startUps, seconds }
  printReport(report)
  saveReport(report, cluster.version)
}

for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    interrupted = true
    stopAll().finally(() => process.exit(status))
  })
}

try {
  await bench()
} catch (error) {
  if (!interrupted)
    process.stderr.write(`\nThe benchmark was given up: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  if (!interrupted) await stopAll()
}

import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon, { type Client, type Request, type Run } from 'autocannon'
import type { CpuTimes } from './processes.ts'
import { connections, longestWarmUpMs, measuredMs, type WarmUp } from './settings.ts'

/** The requests of a leg: each path in turn, every connection with its own share of them. */
export interface Load {
  method: 'GET' | 'POST' | 'PUT'
  paths: string[]
  headers: Record<string, string>
  /** A body of its own for each request. */
  body?: () => string
  /** The status that each answer must have; any 2xx without it. */
  status?: number
}

/** One server under load for a moment. Times in ms, CPU in microseconds per request. */
export interface Leg {
  perSecond: number
  p50: number
  p99: number
  cpu: { server: number; postgres: number } | undefined
  /** Shares: of one core that the load generator used, of the whole machine that strangers used. */
  busy: { loadGenerator: number; strangers: number } | undefined
}

/**
 * Loads a server, first to warm up and then measured.
 * @throws Error at the first answer that has another status than it should.
 */
export async function measure(
  url: string,
  load: Load,
  warmUp: WarmUp,
  cpuTimes: () => CpuTimes | undefined,
): Promise<Leg> {
  const run = start(url, load)
  let failure: string | undefined
  const fail = (what: string) => {
    failure ??= `${load.method} ${load.paths[0]} ${what}`
    run.stop()
  }
  let answers = 0
  let times: number[] = []
  run.on('response', (_client, status: number, _bytes: number, ms: number) => {
    if (!isExpected(load, status)) fail(`was answered ${status}`)
    answers++
    times.push(ms)
  })
  run.on('reqError', (error: Error) => fail(`failed: ${error.message}`))

  const warmingSince = performance.now()
  const isWarm = (ms: number) => (ms >= warmUp.ms && answers >= warmUp.answers) || ms >= longestWarmUpMs
  while (!failure && !isWarm(performance.now() - warmingSince)) await sleep(10)
  const before = cpuTimes()
  const measuringSince = performance.now()
  times = []
  for (let waited = 0; !failure && waited < measuredMs; waited = performance.now() - measuringSince) {
    await sleep(Math.min(100, measuredMs - waited))
  }
  const measured = times
  const after = cpuTimes()
  const seconds = (performance.now() - measuringSince) / 1000
  times = []
  run.stop()
  await run
  if (failure) throw new Error(failure)
  return legOf(measured, seconds, before, after)
}

/**
 * Loads a server meanwhile, until the function that it gives is called.
 * @throws Error from there, if an answer had another status than it should.
 */
export function loadMeanwhile(url: string, load: Load): () => Promise<void> {
  const run = start(url, load)
  let failure: number | undefined
  run.on('response', (_client, status: number) => {
    if (!isExpected(load, status)) failure ??= status
  })
  return async () => {
    run.stop()
    await run
    if (failure) throw new Error(`${load.method} ${load.paths[0]} was answered ${failure}`)
  }
}

function start(url: string, load: Load): Run {
  const duration = (longestWarmUpMs + measuredMs) / 1000 + 60
  return autocannon({ url, connections, duration, sampleInt: 20, setupClient: shares(load) })
}

function isExpected({ status: expected }: Load, status: number): boolean {
  return expected ? status === expected : status >= 200 && status <= 299
}

function shares({ method, paths, headers, body }: Load): (client: Client) => void {
  let next = 0
  return (client) => {
    const first = next++
    const mine = paths.filter((_, index) => paths.length < connections || index % connections === first % connections)
    const request = (path: string): Request => ({
      method,
      path,
      headers: { ...headers },
      ...(body && { setupRequest: (made: Request) => ({ ...made, body: body() }) }),
    })
    client.setRequests(mine.map(request))
  }
}

function legOf(times: number[], seconds: number, before: CpuTimes | undefined, after: CpuTimes | undefined): Leg {
  if (times.length === 0) throw new Error('no answer came while it was measured')
  times.sort((a, b) => a - b)
  const percentile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] as number
  const leg = { perSecond: times.length / seconds, p50: percentile(0.5), p99: percentile(0.99) }
  if (!before || !after) return { ...leg, cpu: undefined, busy: undefined }
  const used = (key: keyof CpuTimes) => after[key] - before[key]
  const ours = used('server') + used('postgres') + used('load')
  return {
    ...leg,
    cpu: { server: (used('server') * 1e6) / times.length, postgres: (used('postgres') * 1e6) / times.length },
    busy: {
      loadGenerator: used('load') / seconds,
      strangers: Math.max(0, used('machine') - ours) / seconds / cpus().length,
    },
  }
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Import } from './imports.ts'
import type { Leg } from './load.ts'
import type { Refusal } from './refusals.ts'
import type { Measured } from './rounds.ts'
import { project, type Size, sizes } from './settings.ts'
import type { StartUps } from './start-up.ts'

export interface Report {
  measured: Measured[]
  /** Resident memory of the service process in MB. */
  memory: { idle: number | undefined; loaded: number | undefined }
  imports: Import[]
  refusals: Refusal[]
  startUps: StartUps
  seconds: number
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** One line of the table, over the rounds of one operation and size. Ratios are medians of the rounds' ratios. */
function summary({ operation, rounds }: Measured, size: Size) {
  const pairs = rounds.flatMap((round) => round[size] ?? [])
  if (pairs.length === 0) return undefined
  const of = (kind: 'floor' | 'service', figure: (leg: Leg) => number) =>
    median(pairs.map((pair) => figure(pair[kind])))
  const cpu = ({ cpu }: Leg) => (cpu ? cpu.server + cpu.postgres : Number.NaN)
  const side = (kind: 'floor' | 'service') => ({
    perSecond: of(kind, (leg) => leg.perSecond),
    p50: of(kind, (leg) => leg.p50),
    p99: of(kind, (leg) => leg.p99),
    cpuServer: of(kind, (leg) => leg.cpu?.server ?? Number.NaN),
    cpuPostgres: of(kind, (leg) => leg.cpu?.postgres ?? Number.NaN),
    loadGeneratorBusy: of(kind, (leg) => leg.busy?.loadGenerator ?? Number.NaN),
  })
  return {
    operation: operation.name,
    versions: sizes[size].versions,
    floor: side('floor'),
    service: side('service'),
    ratio: median(pairs.map(({ floor, service }) => service.perSecond / floor.perSecond)),
    ratioByCpu: median(pairs.map(({ floor, service }) => cpu(floor) / cpu(service))),
    least: operation.least,
  }
}

/** The service's requests per second with the large database, as a share of those with the small one. */
function growth({ rounds }: Measured): number {
  return median(
    rounds.flatMap(({ small, large }) => (small && large ? [large.service.perSecond / small.service.perSecond] : [])),
  )
}

/** One line of the table on how little an operation's cost varies. */
function steadiness(one: Measured): string[] {
  const {
    name,
    leastGrowth = 0,
    mostSpread = Number.POSITIVE_INFINITY,
    mostP99 = Number.POSITIVE_INFINITY,
  } = one.operation
  const found = growth(one)
  const { service, floor } = summary(one, 'large') ?? summary(one, 'small') ?? {}
  const spread = service ? service.p99 / service.p50 : Number.NaN
  const p99 = service && floor ? service.p99 / floor.p99 : Number.NaN
  return [
    name,
    two(found) + (found < leastGrowth ? ' !' : '  '),
    leastGrowth > 0 ? two(leastGrowth) : '',
    two(spread) + (spread > mostSpread ? ' !' : '  '),
    mostSpread < Number.POSITIVE_INFINITY ? two(mostSpread) : '',
    two(p99) + (p99 > mostP99 ? ' !' : '  '),
    mostP99 < Number.POSITIVE_INFINITY ? two(mostP99) : '',
  ]
}

/** The share of the machine that processes other than ours used while we measured. */
function strangers(measured: Measured[]): number {
  const pairs = measured.flatMap(({ rounds }) => rounds.flatMap(({ small, large }) => [small, large]))
  const legs = pairs.flatMap((pair) => (pair ? [pair.floor, pair.service] : []))
  return median(legs.map(({ busy }) => busy?.strangers ?? Number.NaN))
}

const whole = (value: number) => (Number.isNaN(value) ? '-' : Math.round(value).toLocaleString('en'))
const two = (value: number) => (Number.isNaN(value) ? '-' : value.toFixed(2))

/** A time as a share of another one, which it should be like. */
const likeness = (time: number, other: number) =>
  `${two(time / other)} of it${Math.abs(time / other - 1) > 0.15 ? ' !' : ''}`

/** Writes the table and what is measured beside it. */
export function printReport({ measured, imports, refusals, memory, startUps, seconds }: Report): void {
  const rows = [
    [
      '',
      'versions',
      'req/s',
      'floor',
      'ratio',
      'at least',
      'p50 ms',
      'floor',
      'p99 ms',
      'floor',
      'CPU us',
      'floor',
      'by CPU',
    ],
  ]
  for (const one of measured) {
    for (const size of ['small', 'large'] as const) {
      const line = summary(one, size)
      if (!line) continue
      const { operation, versions, floor, service, ratio, ratioByCpu, least } = line
      const cpu = ({ cpuServer, cpuPostgres }: typeof floor) => `${whole(cpuServer)} + ${whole(cpuPostgres)}`
      rows.push([
        rows.at(-1)?.[0] === operation ? '' : operation,
        whole(versions),
        whole(service.perSecond),
        whole(floor.perSecond),
        two(ratio) + (floor.loadGeneratorBusy > 0.9 ? '*' : ' '),
        two(least) + (ratio < least ? ' !' : '  '),
        two(service.p50),
        two(floor.p50),
        two(service.p99),
        two(floor.p99),
        cpu(service),
        cpu(floor),
        two(ratioByCpu),
      ])
    }
  }
  const { small, large } = sizes
  const lines = [
    '',
    ...table(rows),
    '',
    'ratio: requests per second of the service to those of the floor, median of the rounds; by CPU: CPU time of the floor',
    'to that of the service. CPU us: microseconds of CPU per request, server + PostgreSQL. ! below what is wanted.',
    'a / b: the service does b in place of the floor. * the load generator was at its limit with the floor, which could do more: see the CPU time.',
    '',
    `Of the service: requests per second with ${whole(large.versions)} versions to those with ${whole(small.versions)}; p99 to p50 and to the floor with the most versions`,
    ...table([
      ['', 'growth', 'at least', 'p99 / p50', 'at most', 'p99 / floor', 'at most'],
      ...measured.map(steadiness),
    ]),
    '',
    ...imports.map(
      ({ format, bytes, upload, create, parse }) =>
        `Import of ${whole(bytes / 1000)} kB of OpenAPI as ${format}: ${whole(upload)} ms to send, ${whole(create)} ms to create; its parse alone ${two(parse)} ms`,
    ),
    ...refusals.map(
      ({ way, wrong, unknown, disabled }) =>
        `Refused by ${way} after ${two(wrong)} ms: a wrong password; ${likeness(unknown, wrong)}: an unknown name; ${likeness(disabled, wrong)}: a disabled user`,
    ),
    `First answer after: ${whole(startUps.freshEmbedded)} ms with a fresh embedded database, ${whole(startUps.existingEmbedded)} ms with an existing one, ${whole(startUps.withDatabaseUrl)} ms with DATABASE_URL`,
    `Resident memory: ${whole(memory.idle ?? Number.NaN)} MB idle, ${whole(memory.loaded ?? Number.NaN)} MB after the load`,
    `Other processes used ${whole(strangers(measured) * 100)} % of the machine meanwhile.`,
    `The run took ${whole(seconds)} s on ${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.version}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  )
}

/** Keeps the whole report, each round included, in bench/results. */
export function saveReport(report: Report, postgres: string): void {
  const folder = join(project, 'bench/results')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`)
  const summaries = report.measured.flatMap((one) => [summary(one, 'small') ?? [], summary(one, 'large') ?? []].flat())
  const growths = Object.fromEntries(report.measured.map((one) => [one.operation.name, growth(one)]))
  const machine = { cpus: cpus().length, model: cpus()[0]?.model, memory: totalmem(), node: process.version, postgres }
  writeFileSync(
    file,
    `${JSON.stringify({ machine, strangers: strangers(report.measured), summaries, growths, ...report }, null, 2)}\n`,
  )
  process.stdout.write(`Each round stands in ${file}\n`)
}

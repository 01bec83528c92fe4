import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

// What Linux counts CPU time in, whatever the kernel's own tick is.
const ticksPerSecond = 100

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** CPU seconds of a process so far, with or without those of its ended children; undefined where there is no /proc. */
function cpuSeconds(pid: number, withEndedChildren = false): number | undefined {
  const stat = read(`/proc/${pid}/stat`)
  if (!stat) return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number)
  return (user + system + (withEndedChildren ? childUser + childSystem : 0)) / ticksPerSecond
}

/** CPU seconds used so far. */
export interface CpuTimes {
  server: number
  /** All processes of PostgreSQL. */
  postgres: number
  /** This process, the load generator. */
  load: number
  /** Everything that runs on this machine. */
  machine: number
}

/** Undefined where there is no /proc. */
export function cpuTimes(server: number, postmaster: number): CpuTimes | undefined {
  const ofServer = cpuSeconds(server)
  const ofPostmaster = cpuSeconds(postmaster, true)
  if (ofServer === undefined || ofPostmaster === undefined) return undefined
  const children = read(`/proc/${postmaster}/task/${postmaster}/children`).split(' ').filter(Boolean)
  const ofChildren = children.map((child) => cpuSeconds(Number(child)) ?? 0)
  const { user, system } = process.cpuUsage()
  return {
    server: ofServer,
    postgres: ofChildren.reduce((sum, seconds) => sum + seconds, ofPostmaster),
    load: (user + system) / 1e6,
    machine: cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000,
  }
}

/** Resident memory in MB; undefined where there is no /proc. */
export function residentMemory(pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'

// Two of the four threads of libuv, which files and names of hosts wait for as well.
const most = Math.min(2, availableParallelism())
const busyUtilization = 0.8
const sampleMs = 250
const restPerWork = 9
// Time in which the process was held up counts as work: without a bound it would rest for nine times as long.
const longestRestMs = 2000

let underWay = 0
const waiting: (() => void)[] = []

/**
 * Computes a hash when its turn comes: at most two at a time. While this process has its hands full with other requests,
 * a rest follows each, so that signing in takes a fifth of a processor from them and no more.
 */
export async function inTurnToHash<T>(hash: () => Promise<T>): Promise<T> {
  if (underWay === most) await new Promise<void>((begin) => waiting.push(begin))
  else underWay++
  const began = performance.now()
  try {
    return await hash()
  } finally {
    if (isBusy()) setTimeout(beginNext, Math.min((performance.now() - began) * restPerWork, longestRestMs))
    else beginNext()
  }
}

function beginNext(): void {
  const next = waiting.shift()
  if (next) next()
  else underWay--
}

let sample = { at: performance.now(), loop: performance.eventLoopUtilization(), busy: false }

function isBusy(): boolean {
  const at = performance.now()
  if (at - sample.at >= sampleMs) {
    const loop = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(loop, sample.loop)
    sample = { at, loop, busy: utilization > busyUtilization }
  }
  return sample.busy
}

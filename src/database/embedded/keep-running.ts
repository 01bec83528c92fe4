import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '../error-code.ts'
import { EmbeddedPostgresError } from './error.ts'
import { makeWay } from './make-way.ts'
import { type Run, type Server, startOnce } from './supervisor.ts'

const retryMs = 200
const retryForMs = 10_000
// A server whose service has just died needs a moment to stop.
const patientForMs = 1000

const shortestWaitMs = 100
const longestWaitMs = 5000
const healthyMs = 30_000

/**
 * Starts the server, and starts it again whenever it ends by itself, with growing waits, until the function that this
 * resolves to is called; that one resolves when the server has ended.
 * @throws EmbeddedPostgresError when the first start fails.
 */
export async function keepRunning(server: Server, note: (sentence: string) => void): Promise<() => Promise<void>> {
  const stopping = new AbortController()
  const first = await start(server, stopping.signal)
  const kept = keep(server, first, stopping.signal, note)
  return () => {
    stopping.abort()
    return kept
  }
}

async function keep(server: Server, first: Run, signal: AbortSignal, note: (sentence: string) => void): Promise<void> {
  let run = first
  let wait = shortestWaitMs
  for (;;) {
    const since = Date.now()
    await run.ended
    if (signal.aborted) return
    note(`PostgreSQL ended by itself and is being started again.${lastPanic(run)}`)
    if (Date.now() - since > healthyMs) wait = shortestWaitMs
    for (let said = '', up = false; !up; ) {
      try {
        await sleep(wait, undefined, { signal })
        wait = Math.min(wait * 2, longestWaitMs)
        run = await start(server, signal)
        up = true
      } catch (error) {
        if (signal.aborted) return
        if (reasonOf(error) !== said) note(reasonOf(error))
        said = reasonOf(error)
      }
    }
  }
}

function lastPanic({ lines }: Run): string {
  const panic = lines.findLast((line) => line.includes('PANIC:'))
  return panic ? ` It said: ${panic.slice(panic.indexOf('PANIC:'))}` : ''
}

async function start(server: Server, signal: AbortSignal): Promise<Run> {
  const begun = Date.now()
  let notHolder: number | undefined
  for (;;) {
    const run = startOnce(server, signal, notHolder)
    if (await run.ready) return run
    await run.ended
    signal.throwIfAborted()
    const passed = Date.now() - begun
    if (!run.lines.some((line) => /lock file|shared memory/.test(line)) || passed > retryForMs) throw failed(run)
    notHolder = await makeWay(server.folder, server.sockets, passed < patientForMs)
    await sleep(retryMs, undefined, { signal })
  }
}

function failed({ lines }: Run): EmbeddedPostgresError {
  return new EmbeddedPostgresError(`PostgreSQL did not start. The end of its log:\n${lines.join('\n')}`)
}

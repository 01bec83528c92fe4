import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Malformed, Unavailable } from '../fault.ts'
import { atMost } from '../in-flight.ts'
import { fairLine } from './line.ts'
import type { ReadFile } from './read-file.ts'
import type { Outcome, Reading } from './worker.ts'

/** Reads files, one at a time and by turns of their users, in a thread of its own: no other request waits for it. */
export interface FileReader {
  /** @throws Malformed saying where; Unavailable when too many files wait, or this one has waited for too long. */
  read: (user: string, bytes: Uint8Array, fileName: string) => Promise<ReadFile>
  close: () => Promise<void>
}

export interface ReaderLimits {
  /** For one file. */
  milliseconds: number
  megabytes: number
  /** Milliseconds until a file that waits for others is refused. */
  wait: number
}

const mostAtOnce = { ofOneKey: 2, inAll: 20 }
const usualLimits: ReaderLimits = { milliseconds: 10_000, megabytes: 256, wait: 5000 }
const tooMany = () => new Unavailable('Many files, or two of yours, are being read: try again.')
const ownEntry = () => new URL('./worker.js', import.meta.url)

/** `entry` is asked for the file of the thread when the first file comes; the thread then stays for the others. */
export function fileReader(entry: () => URL | Promise<URL> = ownEntry, limits = usualLimits): FileReader {
  let thread: Worker | undefined
  const inLine = fairLine(limits.wait, tooMany)
  const withinLimit = atMost(mostAtOnce, tooMany)

  async function start(): Promise<Worker> {
    const worker = new Worker(await entry(), { resourceLimits: { maxOldGenerationSizeMb: limits.megabytes } })
    // What it dies of is told to whoever waits for it; nobody may.
    worker.on('error', () => {})
    worker.on('exit', () => {
      if (thread === worker) thread = undefined
    })
    await once(worker, 'online')
    worker.unref()
    return worker
  }

  async function stop(): Promise<void> {
    const stopping = thread
    thread = undefined
    await stopping?.terminate()
  }

  async function readNow(reading: Reading): Promise<ReadFile> {
    thread ??= await start()
    const outcome = await answer(thread, reading, limits).catch(async (error) => {
      // A thread that did not answer is not asked again.
      await stop()
      throw error
    })
    if ('file' in outcome) return outcome.file
    if ('failed' in outcome) throw outcome.failed
    throw unreadable(outcome.refused, outcome.pointer)
  }

  return {
    read: (user, bytes, fileName) => withinLimit(user, () => inLine(user, () => readNow({ bytes, fileName }))),
    close: stop,
  }
}

/**
 * What the thread answers, or why it did not: it took too long or too much memory, or it is broken. Nothing outlives the
 * answer: the thread stays for many more.
 */
async function answer(worker: Worker, reading: Reading, { milliseconds }: ReaderLimits): Promise<Outcome> {
  const given = new AbortController()
  const late = setTimeout(
    () => given.abort(unreadable(`it takes more than ${milliseconds / 1000} s to read`)),
    milliseconds,
  )
  const ended = () => given.abort(new Error('the thread that reads files has ended'))
  worker.once('exit', ended)
  try {
    worker.postMessage(reading)
    const [outcome] = await once(worker, 'message', { signal: given.signal })
    return outcome
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_WORKER_OUT_OF_MEMORY') throw unreadable('it takes too much memory to read')
    throw code === 'ABORT_ERR' ? given.signal.reason : error
  } finally {
    clearTimeout(late)
    worker.off('exit', ended)
  }
}

function unreadable(message: string, pointer?: string): Malformed {
  const what = pointer === undefined ? message : `${pointer} ${message}`
  return new Malformed(
    `The file cannot be imported: ${what}.`,
    pointer === undefined ? undefined : [{ pointer, message }],
  )
}

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Unavailable } from './fault.ts'

/** Tells where the file of a folder's thread is. */
export type ThreadFile = (folder: string) => URL | Promise<URL>

/** As `npm run build` names them. */
const builtThread: ThreadFile = (folder) => new URL(`./${folder}-thread.js`, import.meta.url)

/** Does jobs, one at a time, in a thread of its own: no other request waits for them. */
export interface Thread<Job, Done> {
  /** @throws TooMuch; Unavailable when too many jobs wait. */
  give: (job: Job) => Promise<Done>
  close: () => Promise<void>
}

export interface ThreadLimits {
  /** For one job. */
  milliseconds: number
  megabytes: number
  /** A thread without a job for so long is ended. */
  idleMilliseconds: number
}

/** A job that takes more than it may: `what` it takes. */
export class TooMuch extends Unavailable {
  readonly what: string

  constructor(what: string) {
    super(`Answering this ${what}: ask for less.`)
    this.what = what
  }
}

/** Whether making something of a document would hold up others for longer than 20 ms. */
export function isLarge(document: string): boolean {
  return document.length > 131_072
}

const mostWaiting = 20
const usualLimits: ThreadLimits = { milliseconds: 10_000, megabytes: 256, idleMilliseconds: 60_000 }

/** The thread of a folder. It starts with the first job, and again with the next one after it broke. */
export function thread<Job, Done>(
  folder: string,
  threadFile: ThreadFile = builtThread,
  limits: Partial<ThreadLimits> = {},
): Thread<Job, Done> {
  const { milliseconds, megabytes, idleMilliseconds } = { ...usualLimits, ...limits }
  let worker: Worker | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let idle: NodeJS.Timeout | undefined

  async function start(): Promise<Worker> {
    const starting = new Worker(await threadFile(folder), { resourceLimits: { maxOldGenerationSizeMb: megabytes } })
    // What it dies of is told to whoever waits for it; nobody may.
    starting.on('error', () => {})
    starting.on('exit', () => {
      if (worker === starting) worker = undefined
    })
    await once(starting, 'online')
    starting.unref()
    return starting
  }

  async function stop(): Promise<void> {
    clearTimeout(idle)
    const stopping = worker
    worker = undefined
    await stopping?.terminate()
  }

  async function doNow(job: Job): Promise<Done> {
    clearTimeout(idle)
    worker ??= await start()
    const done = await answer<Job, Done>(worker, job, milliseconds).catch(async (error) => {
      // A thread that did not answer is not asked again.
      await stop()
      throw error
    })
    idle = setTimeout(stop, idleMilliseconds).unref()
    return done
  }

  return {
    give: (job) => {
      if (waiting >= mostWaiting)
        return Promise.reject(new Unavailable('Many requests of this kind are waiting: try again.'))
      waiting++
      const result = turn.then(() => doNow(job)).finally(() => waiting--)
      turn = result.catch(() => {})
      return result
    },
    close: stop,
  }
}

/**
 * What the thread answers, or why it did not: it took too long or too much memory, or it is broken. Nothing outlives the
 * answer: the thread stays for many more.
 */
async function answer<Job, Done>(worker: Worker, job: Job, milliseconds: number): Promise<Done> {
  const given = new AbortController()
  const late = setTimeout(() => given.abort(new TooMuch(`takes more than ${milliseconds / 1000} s`)), milliseconds)
  const ended = () => given.abort(new Error('the thread has ended'))
  worker.once('exit', ended)
  try {
    worker.postMessage(job)
    const [done] = await once(worker, 'message', { signal: given.signal })
    return done
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_WORKER_OUT_OF_MEMORY') throw new TooMuch('takes too much memory')
    throw code === 'ABORT_ERR' ? given.signal.reason : error
  } finally {
    clearTimeout(late)
    worker.off('exit', ended)
  }
}

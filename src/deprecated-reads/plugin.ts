import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Database } from '../database/tables.ts'
import { consumerOf } from './consumer.ts'
import { type Reads, readCounter } from './counter.ts'
import { addReads, removeOldReads } from './store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts the read of a deprecated version, by its stored id. */
    countRead: (request: FastifyRequest, versionId: string) => void
    /** Writes what this process has counted so far. */
    writeReads: () => Promise<void>
  }
}

const writtenEveryMs = 5000
const tidiedEveryMs = 3_600_000
const mostWritten = 2000
const lastAttemptsMs = 5000

/** Counts who still reads deprecated versions: in memory, and in the database a few seconds later and at the end. */
export const deprecatedReads = fp(async (app: FastifyInstance, { db }: { db: Database }) => {
  const counter = readCounter()
  const timers: NodeJS.Timeout[] = []
  let writing: Promise<void> | undefined
  let next: Promise<void> | undefined
  let tidying: Promise<void> | undefined
  let isRefused = false
  let isClosing = false

  app.decorate('countRead', (request: FastifyRequest, versionId: string) => {
    counter.add(versionId, consumerOf(request))
  })
  app.decorate('writeReads', writeReads)

  app.addHook('onReady', async () => {
    tidy()
    timers.push(setInterval(writeReads, writtenEveryMs).unref(), setInterval(tidy, tidiedEveryMs).unref())
  })
  app.addHook('onClose', async () => {
    isClosing = true
    for (const timer of timers) clearInterval(timer)
    await tidying
    await writeReads()
    // Versions that somebody has locked are mostly soon free; a database that is away is not waited for.
    for (const until = Date.now() + lastAttemptsMs; Date.now() < until && !counter.isEmpty() && !isRefused; ) {
      await sleep(50)
      await writeReads()
    }
    if (!counter.isEmpty()) app.log.warn('reads of deprecated versions were not written')
  })

  function writeReads(): Promise<void> {
    if (!writing) {
      writing = writeAll().finally(() => {
        writing = undefined
      })
      return writing
    }
    // What is being written does not have what was counted since it began.
    next ??= writing.then(() => {
      next = undefined
      // A database that is away would only be waited for once more.
      return isRefused ? undefined : writeReads()
    })
    return next
  }

  async function writeAll(): Promise<void> {
    isRefused = false
    for (;;) {
      const taken = counter.take(mostWritten)
      if (taken.length === 0) return
      const left = await addReads(db, taken).catch(notWritten(taken))
      for (const each of taken) if (left.has(each.versionId)) counter.add(each.versionId, each, each.reads)
      // Reads go on meanwhile: to write until none is left might never end.
      if (left.size > 0 || taken.length < mostWritten) return
    }
  }

  function notWritten(taken: readonly Reads[]): (error: unknown) => Set<string> {
    return (error) => {
      isRefused = true
      app.log.warn({ err: error }, 'reads of deprecated versions are to be written later')
      return new Set(taken.map(({ versionId }) => versionId))
    }
  }

  function tidy(): void {
    tidying ??= removeAllOld()
      .catch((error) => {
        app.log.warn({ err: error }, 'old reads of deprecated versions are to be removed later')
      })
      .finally(() => {
        tidying = undefined
      })
  }

  async function removeAllOld(): Promise<void> {
    while ((await removeOldReads(db)) && !isClosing);
  }
})

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { type Thread, type ThreadLimits, TooMuch, thread } from '../src/thread.ts'

const made: Thread<string, number>[] = []
afterEach(async () => {
  for (const { close } of made.splice(0)) await close()
})

/** Waits for as many milliseconds as a job says, then answers the thread's number; `break` breaks it. */
const code = `
  import { parentPort, threadId } from 'node:worker_threads'
  parentPort.on('message', (job) => {
    if (job === 'break') throw new RangeError('broken')
    setTimeout(() => parentPort.postMessage(threadId), Number(job))
  })`

function numbered(limits: Partial<ThreadLimits> = {}): Thread<string, number> {
  const started = thread<string, number>(
    'any',
    () => new URL(`data:text/javascript,${encodeURIComponent(code)}`),
    limits,
  )
  made.push(started)
  return started
}

test('one thread does all jobs, one after another', async () => {
  const { give } = numbered()
  const [first, ...others] = await Promise.all(['20', '0', '0'].map(give))
  expect(others).toEqual([first, first])
})

test('one that broke says of what, and the next job has another', async () => {
  const { give } = numbered()
  const first = await give('0')
  await expect(give('break')).rejects.toThrow('broken')
  expect(await give('0')).not.toBe(first)
})

test('one that takes too long is ended, and the next job has another', async () => {
  const { give } = numbered({ milliseconds: 500 })
  const first = await give('0')
  await expect(give('60000')).rejects.toThrow(TooMuch)
  expect(await give('0')).not.toBe(first)
})

test('one that has had nothing to do is ended, and the next job has another', async () => {
  const { give } = numbered({ idleMilliseconds: 20 })
  const first = await give('0')
  await sleep(500)
  expect(await give('0')).not.toBe(first)
})

test('one too many is refused at once', async () => {
  const { give } = numbered()
  const given = Array.from({ length: 20 }, () => give('1'))
  await expect(give('0')).rejects.toMatchObject({ status: 503 })
  expect(new Set(await Promise.all(given)).size).toBe(1)
})

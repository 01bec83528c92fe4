import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { fileReader } from '../../src/imports/reader.ts'
import type { Client } from '../support/client.ts'
import { exampleApi } from '../support/examples.ts'
import { descriptorOf, sendFile } from '../support/form.ts'
import { startService, threadFile } from '../support/service.ts'

const small = Buffer.from('openapi: 3.0.0\ninfo: {title: Small, version: 1.0}\npaths: {}\n')

let users = 0
const aUser = () => `user ${++users}`

/** YAML of about this many bytes that takes its time. */
function large(bytes: number): Buffer {
  const item = (n: number) =>
    `  /things${n}/{id}:\n    get:\n      operationId: get${n}\n      parameters:\n        - {name: id, in: path, required: true, schema: {type: string}}\n      responses:\n        "200": {description: ok, content: {application/json: {schema: {type: object}}}}\n`
  let text = 'openapi: 3.0.0\ninfo: {title: Large, version: 1.0}\npaths:\n'
  for (let n = 0; n < 3000; n++) text += item(n)
  const filler = '    - {type: object, properties: {a: {type: string}, b: {type: integer, description: "some text"}}}\n'
  text += 'components:\n  x-filler:\n'
  return Buffer.from(text + filler.repeat((bytes - text.length) / filler.length))
}

describe('one thread', () => {
  test('reads files one after another, and goes on after one that it could not read', async () => {
    const reader = fileReader(threadFile)
    const results = await Promise.allSettled(
      [small, Buffer.from('x'), small].map((bytes) => reader.read(aUser(), bytes, 'f')),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    await reader.close()
  })

  test('is ended when a file takes too long; the next one gets a new thread', async () => {
    const reader = fileReader(threadFile, { milliseconds: 60, megabytes: 256, wait: 60_000 })
    await expect(reader.read('ann', large(5_000_000), 'f')).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/takes more than/),
    })
    const patient = fileReader(threadFile)
    await expect(patient.read('ann', small, 'f')).resolves.toMatchObject({ serviceName: 'Small' })
    await Promise.all([reader.close(), patient.close()])
  })

  test('may use so much memory only; the process lives on', async () => {
    const reader = fileReader(threadFile, { milliseconds: 30_000, megabytes: 20, wait: 60_000 })
    const many = Buffer.from(`x: [${'{a: b},'.repeat(500_000)}]`)
    await expect(reader.read('ann', many, 'f')).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/too much memory/),
    })
    await expect(reader.read('ann', small, 'f')).resolves.toMatchObject({ serviceName: 'Small' })
    await reader.close()
  })

  test('keeps nothing of a file that it has read', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const reader = fileReader(threadFile)
    const read = async () => new WeakRef(await reader.read('ann', small, 'f'))
    const first = await read()
    await read()
    await sleep(10)
    collect()
    expect(first.deref()).toBeUndefined()
    await reader.close()
  })

  test('is asked by so many at once only', async () => {
    const reader = fileReader(threadFile)
    const results = await Promise.allSettled(Array.from({ length: 30 }, async () => reader.read(aUser(), small, 'f')))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    const [refused] = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    expect(refused?.reason).toMatchObject({ status: 503 })
    await reader.close()
  })

  test('takes turns by user, of whom each may have ten files there', async () => {
    const reader = fileReader(threadFile, { milliseconds: 60_000, megabytes: 256, wait: 60_000 })
    const order: string[] = []
    const read = async (user: string, name: string) => {
      await reader.read(user, small, name)
      order.push(name)
    }
    const names = Array.from({ length: 11 }, (_, at) => `a${at + 1}`)
    const all = [...names.map((name) => read('ann', name)), read('bea', 'b1'), read('bea', 'b2')]
    await expect(all[10]).rejects.toMatchObject({ status: 503 })
    await Promise.allSettled(all)
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', ...names.slice(2, 10)])
    await reader.close()
  })

  test('refuses a file that has waited for too long, and goes on', async () => {
    const reader = fileReader(threadFile, { milliseconds: 60_000, megabytes: 256, wait: 1 })
    const first = reader.read('ann', large(1_000_000), 'f')
    await expect(reader.read('bea', small, 'f')).rejects.toMatchObject({ status: 503 })
    await expect(first).resolves.toMatchObject({ serviceName: 'Large' })
    await expect(reader.read('bea', small, 'f')).resolves.toMatchObject({ serviceName: 'Small' })
    await reader.close()
  })

  test('that cannot be started is a fault of the service, not of the file', async () => {
    const reader = fileReader(() => pathToFileURL('/nowhere/imports-thread.js'))
    await expect(reader.read('ann', small, 'f')).rejects.not.toMatchObject({ status: 400 })
  })
})

test('while a file of 5 MB is read, others are answered', async () => {
  const service = await startService()
  const admin: Client = await service.siteAdmin()
  const { APIID } = (await admin.post('/api/apis', exampleApi())).json
  await sendFile(admin, small)
  let isRead = false
  const reading = sendFile(admin, large(5_000_000)).then((answer) => {
    isRead = true
    return answer
  })
  const waits: number[] = []
  while (!isRead) {
    const start = performance.now()
    await admin.get(`/api/apis/${APIID}`)
    waits.push(performance.now() - start)
  }
  expect((await reading).status).toBe(200)
  expect(waits.length).toBeGreaterThan(20)
  // Were it read in between, one of them would have waited for all of it.
  expect(Math.max(...waits)).toBeLessThan(waits.reduce((sum, wait) => sum + wait, 0) / 3)
})

test('while files of one person are read, those of another are read in between', async () => {
  const service = await startService()
  const [ann, bea] = [await service.person(), await service.person()]
  const slow = large(5_000_000)
  let isAllRead = false
  const all = Promise.all(Array.from({ length: 4 }, () => sendFile(ann.client, slow))).then((answers) => {
    isAllRead = true
    return answers.map(({ status }) => status)
  })
  expect((await sendFile(bea.client, small)).status).toBe(200)
  expect(isAllRead).toBe(false)
  expect(await all).toEqual([200, 200, 200, 200])
})

test('a document with 3,000 operations is imported whole', async () => {
  const service = await startService()
  const admin = await service.siteAdmin()
  const DLDescriptor = await descriptorOf(admin, large(1_000_000))
  const added = await admin.post('/api/apis', { DLDescriptor }, { 'content-type': 'application/vnd.platform.v81+json' })
  expect(added.status).toBe(200)
  expect(added.json.APIVersion.Operations.Operation).toHaveLength(3000)
})

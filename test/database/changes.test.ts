import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Change, listenForChanges } from '../../src/database/changes.ts'
import { execute, freshDatabase } from '../support/database.ts'

test('what somebody else says on the channel is passed over, and what is said after it is heard', async () => {
  const connection = await freshDatabase()
  const heard: Change[] = []
  const listener = listenForChanges(connection, (change) => heard.push(change))
  const tell = (payload: string) => execute(connection, [`notify changes${payload && `, '${payload}'`}`])
  try {
    await expect
      .poll(async () => {
        await tell('{"kind": "user", "id": "first"}')
        await sleep(20)
        return heard.length
      })
      .toBeGreaterThan(0)
    for (const payload of ['', 'hello', 'null', '7', '{}', '{"kind": "other", "id": "x"}', '{"kind": "user"}']) {
      await tell(payload)
    }
    await tell('{"kind": "domain", "id": "last"}')
    await expect.poll(() => heard.at(-1)).toEqual({ kind: 'domain', id: 'last' })
    expect(new Set(heard.map(({ id }) => id))).toEqual(new Set(['first', 'last']))
  } finally {
    await listener.stop()
  }
})

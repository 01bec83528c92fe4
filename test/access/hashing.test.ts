import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { inTurnToHash } from '../../src/access/hashing.ts'

test('a process that was held up while it was hashing does not rest for ever', async () => {
  const heldUp = async () => {
    for (const end = performance.now() + 700; performance.now() < end; );
  }
  const began = performance.now()
  await Promise.all([inTurnToHash(heldUp), inTurnToHash(heldUp)])
  await inTurnToHash(async () => {})
  expect(performance.now() - began).toBeLessThan(6500)
})

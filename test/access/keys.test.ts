import { expect, test } from 'vitest'
import { keyRing } from '../../src/access/keys.ts'

const [older, newer] = ['a'.repeat(32), 'b'.repeat(32)]
const keys = keyRing([newer, older])

test('what an older key has encrypted is read, for its purpose only', () => {
  const encrypted = keyRing([older]).encrypt('one', 'secret')
  expect(keys.decrypt('one', encrypted)).toBe('secret')
  expect(keys.decrypt('another', encrypted)).toBeUndefined()
  expect(keyRing([newer]).decrypt('one', encrypted)).toBeUndefined()
})

test.each([0, 1, 11, 12, 13, 16, 20, 24, 27])('of what was encrypted, %i bytes open nothing', (length) => {
  const encrypted = Buffer.from(keys.encrypt('one', ''), 'base64url')
  expect(keys.decrypt('one', encrypted.subarray(0, length).toString('base64url'))).toBeUndefined()
})

import { expect, test } from 'vitest'
import { isDatabaseUnavailable } from '../../src/database/errors.ts'

test.each(['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED', '57P03'])('%s is a database that is away', (code) => {
  expect(isDatabaseUnavailable(Object.assign(new Error('connect'), { code }))).toBe(true)
})

import { expect, test } from 'vitest'
import { remembering } from '../src/remembering.ts'

function counting() {
  const made: string[] = []
  const length = remembering((text) => {
    made.push(text)
    return text.length
  })
  return { made, length }
}

test('what comes again is made once', () => {
  const { made, length } = counting()
  expect([length('a'), length('bc'), length('a'), length('')]).toEqual([1, 2, 1, 0])
  expect(made).toEqual(['a', 'bc', ''])
})

test('that there is nothing is remembered too', () => {
  const made: string[] = []
  const nothing = remembering((text) => void made.push(text))
  expect([nothing('a'), nothing('a')]).toEqual([undefined, undefined])
  expect(made).toEqual(['a'])
})

test('however many texts come, few are kept, and what comes again is soon kept again', () => {
  const { made, length } = counting()
  for (let n = 0; n < 100_000; n++) length(`text ${n}`)
  const before = made.length
  for (let n = 0; n < 100_000; n++) length(`text ${n}`)
  expect(made.length).toBe(2 * before)
  for (let again = 0; again < 3; again++) length('text')
  expect(made.length).toBe(2 * before + 1)
})

test('a long text is never kept', () => {
  const { made, length } = counting()
  const long = 'x'.repeat(201)
  expect([length(long), length(long)]).toEqual([201, 201])
  expect(made).toEqual([long, long])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFile } from '../../src/imports/read-file.ts'
import { Unreadable } from '../../src/imports/unreadable.ts'
import { fixture, fixtureObject, fixtures } from '../support/fixtures.ts'

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    'x',
    0,
    -1,
    true,
    [],
    {},
    [null],
    [[]],
    '\0',
    '\ud800',
    '#/',
    'http://127.0.0.1:1/',
  ),
  fc.constantFrom<unknown>(
    { $ref: '#' },
    { $ref: '#/paths' },
    { $ref: '' },
    { $ref: 1 },
    { __proto__: null },
    'x'.repeat(70_000),
  ),
  fc.jsonValue({ maxDepth: 2 }),
)
const places = fc.array(fc.nat(40), { minLength: 1, maxLength: 9 })

/** The value with one place in it, chosen by the numbers, replaced or removed. */
function changed(value: unknown, [place, ...further]: number[], by: unknown): unknown {
  if (typeof value !== 'object' || value === null || place === undefined) return by
  const entries = Object.entries(value)
  const [key, old] = entries[place % (entries.length + 1)] ?? ['added', by]
  const inner = changed(old, further, by)
  if (Array.isArray(value)) return [...value.slice(0, Number(key) || 0), inner, ...value.slice((Number(key) || 0) + 1)]
  return { ...value, [key]: inner }
}

/** A file is read or refused with a reason; nothing else happens. */
function readOrRefuse(bytes: Buffer): void {
  try {
    JSON.parse(readFile(bytes, 'file').version)
  } catch (error) {
    expect(error).toBeInstanceOf(Unreadable)
    expect((error as Unreadable).message).not.toMatch(/undefined|\[object/)
  }
}

test('whatever stands anywhere in a document, it is read or refused', () => {
  fc.assert(
    fc.property(fc.constantFrom(...fixtures), places, odd, (name, path, by) => {
      readOrRefuse(Buffer.from(JSON.stringify(changed(fixtureObject(name), path, by)) ?? ''))
    }),
    { numRuns: 1500 },
  )
})

test('whatever bytes are changed, it is read or refused', () => {
  const snippet = fc.oneof(
    fc.constantFrom('{', '[', '&a ', '*a', '<<: ', '!!x ', '---\n', '\t', ': ', '- ', '"', '\0'),
    fc.string({ unit: 'binary', maxLength: 8 }),
  )
  fc.assert(
    fc.property(fc.constantFrom(...fixtures), fc.nat(3000), fc.nat(30), snippet, (name, at, length, put) => {
      const bytes = fixture(name)
      readOrRefuse(Buffer.concat([bytes.subarray(0, at), Buffer.from(put), bytes.subarray(at + length)]))
    }),
    { numRuns: 1000 },
  )
})

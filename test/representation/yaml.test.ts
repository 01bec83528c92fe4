import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { writeYaml } from '../../src/representation/yaml-write.ts'
import { hardText } from '../support/version-body.ts'

const words = [
  'yes',
  'No',
  'ON',
  'off',
  'y',
  'null',
  'True',
  '~',
  '1',
  '1e3',
  '0x1f',
  '12:30',
  '2026-01-01',
  '.inf',
  '<<',
]
const signs = [
  '- a',
  '? a',
  'a: b',
  'a #b',
  '#a',
  '@a',
  '*a',
  '&a',
  '!a',
  '%a',
  '|',
  '>',
  '---',
  '...',
  '{a}',
  '[a]',
  'a:',
]
const text = fc.oneof(hardText, fc.constantFrom(...words, ...signs), fc.constant('k'.repeat(1500)))

function expectRead(value: unknown): void {
  const written = writeYaml(value)
  for (const version of ['1.1', '1.2'] as const) {
    expect(JSON.stringify(parse(written, { version }))).toBe(JSON.stringify(value))
  }
}

test('readers of YAML 1.1 and 1.2 get what was written', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.boolean(),
      fc.integer(),
      fc.constant(null),
      tie('list'),
      tie('map'),
    ),
    list: fc.array(tie('value'), { maxLength: 4 }),
    map: fc
      .array(fc.tuple(text, tie('value')), { maxLength: 4 })
      .map((members) => Object.fromEntries(members.filter(([key]) => key !== '__proto__' && !/^\d+$/.test(key)))),
  }))
  fc.assert(fc.property(value, expectRead), { numRuns: 1000 })
})

test('one member or item a line; absent members are left out', () => {
  expect(writeYaml({ a: { b: [1, { c: 'x y', d: [] }, ['/p/{q}', 'no']] }, e: undefined, f: {} })).toBe(
    ['a:', '  b:', '    - 1', '    - c: x y', '      d: []', '    - - /p/{q}', '      - "no"', 'f: {}', ''].join('\n'),
  )
})

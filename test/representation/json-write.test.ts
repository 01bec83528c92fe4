import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { jsonWriter } from '../../src/representation/json-write.ts'
import type { SchemaNode } from '../../src/representation/schema.ts'

const Inner = Type.Object({ a: Type.String(), b: Type.Optional(Type.Integer()) })
const Outer = Type.Object({
  first: Type.String(),
  list: Type.Array(Inner),
  inner: Type.Union([Inner, Type.Null()]),
})
const write = jsonWriter(Outer as SchemaNode)

test.each([
  ['what the schema knows', { first: 'x', list: [{ a: 'y', b: 1 }], inner: null }, undefined],
  ['an optional member', { first: 'x', list: [{ a: 'y' }, { a: 'z' }], inner: { a: '' } }, undefined],
  ['one member too many', { first: 'x', list: [], inner: null, secret: 1 }, { first: 'x', list: [], inner: null }],
  [
    'one further in, of a later item',
    { first: 'x', list: [{ a: 'y' }, { a: 'z', secret: 1 }], inner: { secret: 1, a: 'u' } },
    { first: 'x', list: [{ a: 'y' }, { a: 'z' }], inner: { a: 'u' } },
  ],
  [
    'another order',
    { list: [{ b: 1, a: 'y' }], inner: null, first: 'x' },
    { first: 'x', list: [{ a: 'y', b: 1 }], inner: null },
  ],
  [
    'a member that is not there',
    { first: undefined, list: [{ a: 'y', b: undefined }], inner: null },
    { list: [{ a: 'y' }], inner: null },
  ],
])('JSON has the members of the schema, in its order: %s', (_which, value, known) => {
  expect(write(value)).toBe(JSON.stringify(known ?? value))
})

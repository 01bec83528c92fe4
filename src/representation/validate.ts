import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { type InputError, Malformed } from '../fault.ts'
import { coercer, mostErrors } from './coerce.ts'
import { expectedFormat } from './formats.ts'
import { nodeOf } from './schema.ts'

type Check = (value: unknown) => { value: unknown } | { error: Error }

Settings.Set({ maxErrors: mostErrors })

/** Makes the checks of a route's body, query and path from their schemas. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  httpPart === 'querystring' ? queryCheck(schema) : check(schema, httpPart === 'body' ? 'body' : 'parameter')

/** Parameter names match without regard to case, unknown ones and numbers that are empty are ignored, as is usual for queries. */
function queryCheck(schema: TSchema): Check {
  const { properties = {} } = nodeOf(schema)
  const names = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]))
  const checkNamed = check(schema, 'query')
  return (value) => {
    const named: Record<string, unknown> = {}
    for (const [key, text] of Object.entries(value as Record<string, unknown>)) {
      const name = names.get(key.toLowerCase())
      if (!name) continue
      if (name in named || Array.isArray(text)) return { error: invalid('query', [occursTwice(name)]) }
      if (text === '' && properties[name]?.type === 'integer') continue
      named[name] = text
    }
    return checkNamed(named)
  }
}

function check(schema: TSchema, part: string): Check {
  const coerce = coercer(nodeOf(schema))
  const validator = Compile(schema)
  return (given) => {
    const errors: InputError[] = []
    const value = coerce(given, errors)
    if (errors.length === 0 && validator.Check(value)) return { value }
    // What was not sent comes as null.
    if (given === null) return { error: new Malformed(`A ${part} is needed.`, [{ pointer: '', message: 'is needed' }]) }
    for (const error of validator.Errors(value)) errors.push(...inputErrors(error))
    return { error: invalid(part, errors.slice(0, mostErrors)) }
  }
}

function occursTwice(name: string): InputError {
  return { pointer: `/${name}`, message: 'occurs twice' }
}

function invalid(part: string, errors: InputError[]): Malformed {
  return new Malformed(`The ${part} is not valid: ${errors.map(sentence).join('; ')}.`, errors)
}

function sentence({ pointer, message }: InputError): string {
  return `${pointer || 'it'} ${message}`
}

function inputErrors(error: TLocalizedValidationError): InputError[] {
  const pointer = error.instancePath
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ pointer: `${pointer}/${name}`, message: 'is required' }))
    case 'format':
      return [{ pointer, message: expectedFormat(error.params.format) }]
    // A value that may be null is a union: its other half names what is wrong.
    case 'anyOf':
      return []
    case 'type':
      return error.params.type === 'null'
        ? []
        : [{ pointer, message: `must be ${withArticle(String(error.params.type))}` }]
    default:
      return [{ pointer, message: error.message }]
  }
}

function withArticle(type: string): string {
  return `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`
}

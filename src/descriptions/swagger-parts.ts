import { formType, isForm } from '../representation/media-types.ts'
import { contentTypes } from './content-types.ts'
import type { Omission, Operation, Parameter } from './operations.ts'

const methodsWithBody = new Set(['PUT', 'POST', 'PATCH'])

/** What Swagger 1.2 and 2.0 can say of an operation. */
export interface SwaggerParts {
  consumes: readonly string[]
  produces: readonly string[]
  hasFaults: boolean
  inputs: Parameter[]
}

/** Reads what an operation takes and gives: one body or the fields of a form; an operation that takes types has a body. */
export function swaggerParts(operation: Operation, omissions: Omission[]): SwaggerParts {
  const { method, stored } = operation
  const takes = contentTypes(stored, 'InputContentType', omissions)
  const gives = contentTypes(stored, 'OutputContentType', omissions)
  const faults = contentTypes(stored, 'FaultContentType', omissions)
  const inputs = inputsOf(operation, omissions)
  const hasForm = inputs.some(({ place }) => place === 'form')
  const consumes = hasForm && !takes.some(isForm) ? [...takes, formType] : takes
  const hasBody = hasForm || inputs.some(({ place }) => place === 'body')
  if (!hasBody && consumes.length > 0 && methodsWithBody.has(method)) inputs.push({ name: 'body', place: 'body' })
  const produces = gives === faults ? gives : [...new Set([...gives, ...faults])]
  const isOfBoth = produces.length === gives.length && produces.length === faults.length
  if (faults.length > 0 && !isOfBoth) {
    const reason = `its FaultContentType (${faults.join(', ')}): the format has one list for all answers`
    omissions.push({ operation: operation.name, reason })
  }
  return { consumes, produces, hasFaults: faults.length > 0, inputs }
}

function inputsOf({ name: operation, parameters }: Operation, omissions: Omission[]): Parameter[] {
  const body = parameters.find(({ place }) => place === 'body')
  return parameters.filter((parameter) => {
    const { name, place } = parameter
    const isSecondBody = body !== undefined && parameter !== body && (place === 'body' || place === 'form')
    if (place !== 'cookie' && !isSecondBody) return true
    const reason = isSecondBody ? 'the format has one body' : 'the format has no cookies'
    omissions.push({ operation, reason: `its input ${JSON.stringify(name)}: ${reason}` })
    return false
  })
}

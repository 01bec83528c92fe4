import { formType, isForm } from '../representation/media-types.ts'
import { addresses } from './addresses.ts'
import { contentTypes } from './content-types.ts'
import { type Described, type Description, infoOf, saidOmissions } from './described.ts'
import { type Omission, type Operation, type Parameter, readOperations } from './operations.ts'
import { pathItems } from './path-items.ts'

interface Edition {
  openapi: string
  /** The member of `info` for a summary. */
  summary: string
  /** Methods whose requests have no body in this edition. */
  bodiless: ReadonlySet<string>
}

const methods = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'])
const edition30: Edition = {
  openapi: '3.0.3',
  summary: 'x-summary',
  bodiless: new Set(['GET', 'HEAD', 'DELETE', 'TRACE']),
}
const edition31: Edition = { openapi: '3.1.0', summary: 'summary', bodiless: new Set(['TRACE']) }

/** Describes a version as OpenAPI 3.0. */
export function openapi30(described: Described): Description {
  return openapi3(described, edition30)
}

/** Describes a version as OpenAPI 3.1. */
export function openapi31(described: Described): Description {
  return openapi3(described, edition31)
}

function openapi3(described: Described, edition: Edition): Description {
  const omissions: Omission[] = []
  const operations = readOperations(described.version.Operations.Operation, omissions)
  const paths = pathItems(operations, methods, omissions, (operation, operationId) =>
    operationObject(operation, operationId, edition, omissions),
  )
  const servers = addresses(described, omissions).map(({ url, label }) => ({ url, description: label }))
  const document = {
    openapi: edition.openapi,
    info: infoOf(described, edition.summary),
    ...(servers.length > 0 && { servers }),
    paths,
    ...saidOmissions(omissions),
  }
  return { document }
}

function operationObject(operation: Operation, operationId: string, edition: Edition, omissions: Omission[]): object {
  const { name, stored } = operation
  const parameters = operation.parameters
    .filter(({ place }) => place !== 'body' && place !== 'form')
    .map(parameterObject)
  const requestBody = bodyObject(operation, edition, omissions)
  const gives = contentTypes(stored, 'OutputContentType', omissions)
  const faults = contentTypes(stored, 'FaultContentType', omissions)
  return {
    operationId,
    summary: operationId === name ? undefined : name,
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody,
    responses: {
      200: responseObject('Success.', gives),
      default: faults.length > 0 ? responseObject('A fault.', faults) : undefined,
    },
  }
}

const text = { type: 'string' }

function parameterObject({ name, place }: Parameter): object {
  return { name, in: place, required: place === 'path' || undefined, schema: text }
}

// Of the lists of media types, which operations share.
const contents = new WeakMap<readonly string[], object>()

function contentOf(types: readonly string[]): object {
  const content = contents.get(types) ?? Object.fromEntries(types.map((type) => [type, {}]))
  contents.set(types, content)
  return content
}

function responseObject(description: string, types: readonly string[]): object {
  return types.length > 0 ? { description, content: contentOf(types) } : { description }
}

/** What the operation takes, if its method takes anything. */
function bodyObject(operation: Operation, { bodiless }: Edition, omissions: Omission[]): object | undefined {
  const { name, method, parameters, stored } = operation
  const listed = contentTypes(stored, 'InputContentType', omissions)
  const [body, ...others] = parameters.filter(({ place }) => place === 'body')
  const fields = parameters.filter(({ place }) => place === 'form')
  const types = bodyTypes(listed, body !== undefined, fields.length > 0)
  if (types.length === 0) return undefined
  if (bodiless.has(method)) {
    const inputs = parameters.filter(({ place }) => place === 'body' || place === 'form')
    const what = [...types, ...inputs.map((input) => JSON.stringify(input.name))].join(', ')
    omissions.push({ operation: name, reason: `its body (${what}): in this format ${method} has none` })
    return undefined
  }
  for (const other of others) {
    omissions.push({ operation: name, reason: `its input ${JSON.stringify(other.name)}: the format has one body` })
  }
  for (const field of fields.filter(isReference)) {
    omissions.push({
      operation: name,
      reason: `its input ${JSON.stringify(field.name)}: readers take it for a reference`,
    })
  }
  const content = fields.length > 0 ? formContent(types, fields) : contentOf(types)
  return body ? { description: body.name, content } : { content }
}

function bodyTypes(listed: readonly string[], hasBody: boolean, hasForm: boolean): readonly string[] {
  const types = hasBody && listed.length === 0 ? ['*/*'] : listed
  return hasForm && !types.some(isForm) ? [...types, formType] : types
}

// A schema may have a property of that name, but what resolves references stumbles over it.
function isReference({ name }: Parameter): boolean {
  return name === '$ref'
}

/** The fields of a form stand in each form type. */
function formContent(types: readonly string[], fields: Parameter[]): object {
  const named = fields.filter((field) => !isReference(field))
  const properties = Object.fromEntries(named.map(({ name }) => [name, text]))
  const form = { schema: { type: 'object', properties } }
  return Object.fromEntries(types.map((type) => [type, isForm(type) ? form : {}]))
}

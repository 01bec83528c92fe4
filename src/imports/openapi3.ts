import { isForm } from '../representation/media-types.ts'
import type { Described, Input } from './described.ts'
import { formFields } from './form-fields.ts'
import { infoOf, tagsOf } from './info.ts'
import { input } from './inputs.ts'
import { operationsBelow } from './path-items.ts'
import { items, member, members, memberText, type Place, requiredText } from './place.ts'
import type { Resolve } from './references.ts'

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

/** Reads OpenAPI 3.0 and 3.1. Callbacks, webhooks, and servers of single paths or operations have no place in a version. */
export function openapi3(root: Place, resolve: Resolve): Described {
  const operations = operationsBelow(root, methods, resolve, (outline, operation) => {
    const body = member(operation, 'requestBody')
    const content = body ? members(member(resolve(body), 'content')) : []
    return {
      ...outline,
      inputs: [...outline.inputs, ...bodyInputs(content, resolve)],
      takes: content.map(([type]) => type),
      ...answers(member(operation, 'responses'), resolve),
    }
  })
  const addresses = items(member(root, 'servers')).map(addressOf)
  return { ...infoOf(root), tags: tagsOf(root), addresses, operations }
}

/** The fields of forms; one input for any other body. */
function bodyInputs(content: [string, Place][], resolve: Resolve): Input[] {
  const fields = new Map<string, Input>()
  for (const [type, mediaType] of content) {
    if (!isForm(type)) continue
    const schema = member(mediaType, 'schema')
    for (const name of schema ? formFields(schema, resolve) : [])
      fields.set(name, input(name, 'form', mediaType.pointer))
  }
  const hasOther = content.some(([type]) => !isForm(type))
  return [...fields.values(), ...(hasOther ? [{ Name: 'body', Type: 'body' }] : [])]
}

/** Faults are what 4xx, 5xx and `default` answer; where `default` is all there is it is the answer as well. */
function answers(responses: Place | undefined, resolve: Resolve): { gives: string[]; faults: string[] } {
  const gives = new Set<string>()
  const faults = new Set<string>()
  const all = members(responses).filter(([status]) => !status.startsWith('x-'))
  const onlyFaults = all.every(([status]) => /^([45]|default)/.test(status))
  for (const [status, response] of all) {
    const types = members(member(resolve(response), 'content')).map(([type]) => type)
    const isFault = /^([45]|default)/.test(status)
    for (const type of types) {
      if (isFault) faults.add(type)
      if (!isFault || (status === 'default' && onlyFaults)) gives.add(type)
    }
  }
  return { gives: [...gives], faults: [...faults] }
}

/** The address of a server with the default of each variable. */
function addressOf(server: Place): string {
  const variables = member(server, 'variables')
  return requiredText(server, 'url').replace(/\{([^{}]*)\}/g, (whole, name) => {
    const variable = variables && member(variables, name)
    return (variable && memberText(variable, 'default')) ?? whole
  })
}

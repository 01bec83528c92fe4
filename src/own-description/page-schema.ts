import { escapeHtml } from '../html.ts'
import type { Schema } from './openapi.ts'
import { code, idOf, inline } from './page-html.ts'

const bounds = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'pattern', 'default'] as const

/** A named schema with its members, and a place that others lead to. */
export function schemaHtml(name: string, schema: Schema): string {
  const id = idOf(`schema ${name}`)
  return `<article aria-labelledby="${id}">\n<h3 id="${id}">${escapeHtml(name)}</h3>\n<p>${typeHtml(schema)}</p>\n${membersHtml(schema)}</article>`
}

/** A schema in a few words; a named one as a link. */
export function typeHtml(schema: Schema): string {
  const { $ref, type, format, anyOf, items, deprecated, readOnly, const: only } = schema
  const marks = [readOnly && 'read-only', deprecated && 'deprecated'].filter(Boolean).join(', ')
  const end = marks && ` (${marks})`
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) as string
    return `<a href="#${idOf(`schema ${name}`)}">${escapeHtml(name)}</a>${end}`
  }
  if (Array.isArray(anyOf)) return anyOf.map((each) => typeHtml(each as Schema)).join(' or ') + end
  const kind = only !== undefined ? code(JSON.stringify(only)) : escapeHtml([type ?? 'any value'].flat().join(' or '))
  const of = items ? ` of ${typeHtml(items as Schema)}` : ''
  const facts = bounds.flatMap((key) => (key in schema ? [`${key} ${code(String(schema[key]))}`] : []))
  return [`${kind}${format ? ` ${escapeHtml(String(format))}` : ''}${of}`, ...facts].join(', ') + end
}

function membersHtml(schema: Schema): string {
  const { properties, required = [], items } = schema
  if (items) return membersHtml(items as Schema)
  if (!properties) return ''
  const members = Object.entries(properties as Record<string, Schema>).map(([name, member]) => {
    const isRequired = (required as string[]).includes(name) ? ', required' : ''
    const text = typeof member.description === 'string' ? ` ${inline(member.description)}` : ''
    return `<dt>${code(name)}${isRequired}</dt><dd>${typeHtml(member)}${text}${membersHtml(member)}</dd>`
  })
  return `<dl>${members.join('')}</dl>`
}

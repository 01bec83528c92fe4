import { rootOf, type SchemaNode, withoutNull } from './schema.ts'

/** Writes a value of one schema as elements of one name. */
type Write = (value: unknown) => string

const special = /[&<>]|[^\t\n -\ufffd]/
const everySpecial = new RegExp(special, 'g')
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

/** What XML cannot carry becomes U+FFFD: no stored text has such characters, but a fault may quote them. */
function escapeText(text: string): string {
  return special.test(text) ? text.replace(everySpecial, (character) => entities[character] ?? '\ufffd') : text
}

/**
 * Makes the function that writes a value of the schema as an XML document with the root element `name`. Members that the
 * schema does not know are left out; elements stand in the schema's order. The items of a list are named as documents of
 * their own are.
 */
export function xmlWriter(name: string, schema: SchemaNode): Write {
  const items = schema.type === 'array' ? schema.items : undefined
  const itemName = items && rootOf(items)
  const write = itemName ? wrapped(name, listWriter(elementWriter(itemName, items))) : elementWriter(name, schema)
  return (value) => `<?xml version="1.0" encoding="UTF-8"?>${write(value)}`
}

function wrapped(name: string, write: Write): Write {
  return (value) => `<${name}>${write(value)}</${name}>`
}

function elementWriter(name: string, given: SchemaNode): Write {
  const { schema, nullable } = withoutNull(given)
  const write = valueWriter(name, schema)
  if (!nullable) return write
  const nil = `<${name} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>`
  return (value) => (value === null ? nil : write(value))
}

function valueWriter(name: string, schema: SchemaNode): Write {
  const open = `<${name}>`
  const close = `</${name}>`
  if (schema.type === 'array' && schema.items) return listWriter(elementWriter(name, schema.items))
  if (schema.type === 'object' && schema.properties) return objectWriter(open, close, schema.properties)
  if (schema.type === 'string') return (value) => open + escapeText(value as string) + close
  if (schema.type === 'boolean' || schema.type === 'integer') return (value) => open + value + close
  throw new Error(`the schema of ${name} has no XML form`)
}

function listWriter(write: Write): Write {
  return (value) => {
    let text = ''
    for (const item of value as unknown[]) text += write(item)
    return text
  }
}

function objectWriter(open: string, close: string, properties: Record<string, SchemaNode>): Write {
  const members = Object.entries(properties).map(([key, schema]) => ({ key, write: elementWriter(key, schema) }))
  return (value) => {
    let text = open
    for (const { key, write } of members) {
      const member = (value as Record<string, unknown>)[key]
      if (member !== undefined) text += write(member)
    }
    return text + close
  }
}

import { SaxesParser, type SaxesTagNS } from 'saxes'
import { Malformed } from '../fault.ts'
import { rootOf, type SchemaNode, withoutNull } from './schema.ts'

const deepest = 32
const mostElements = 20_000
const schemaInstance = 'http://www.w3.org/2001/XMLSchema-instance'

/** An element that is open: what its schema says, and what has been read of it. */
interface Frame {
  name: string
  schema: SchemaNode
  /** Members of an object, by name; has no prototype. */
  members: Record<string, unknown> | undefined
  text: string
  nil: boolean
}

/**
 * Reads an XML document as the object that the schema describes: text stays text, except around numbers and booleans,
 * which the schema's own reader converts later; elements may come in any order and any namespace. One strict pass: no
 * DOCTYPE, no entities but the five and numeric ones, one root of the schema's name.
 * @throws Malformed naming the place.
 */
export function readXml(source: string, schema: SchemaNode): unknown {
  const parser = new SaxesParser({ xmlns: true, position: true })
  const open: Frame[] = []
  let elements = 0
  const root = rootOf(schema)
  let document: unknown

  const fail = (message: string): never => {
    throw new Malformed(`The XML body is not acceptable: ${message} (line ${parser.line}, column ${parser.column}).`)
  }
  const path = () =>
    `/${open
      .slice(1)
      .map(({ name }) => name)
      .join('/')}`

  parser.on('error', (error) => {
    throw new Malformed(
      `The XML body is not well-formed: ${error.message.replace(/^(\d+):(\d+): /, 'line $1, column $2: ')}`,
    )
  })
  parser.on('doctype', () => fail('a DOCTYPE is not allowed'))
  parser.on('xmldecl', ({ encoding, version }) => {
    if (encoding && encoding.toLowerCase() !== 'utf-8') fail('the encoding must be UTF-8')
    if (version && version !== '1.0') fail('the XML version must be 1.0')
  })
  parser.on('opentag', (tag: SaxesTagNS) => {
    if (++elements > mostElements) fail(`more than ${mostElements} elements`)
    if (open.length >= deepest) fail(`elements nested deeper than ${deepest}`)
    for (const { uri, name } of Object.values(tag.attributes)) {
      if (!uri) fail(`the attribute ${name} is unknown`)
    }
    const parent = open.at(-1)
    if (!parent && tag.local !== root) fail(`the root element must be ${root}`)
    const nil = Object.values(tag.attributes).some(
      ({ uri, local, value }) => uri === schemaInstance && local === 'nil' && /^\s*(true|1)\s*$/.test(value),
    )
    open.push(frameOf(tag.local, parent ? memberSchema(parent, tag.local) : schema, nil))
  })
  parser.on('text', (text) => {
    const frame = open.at(-1)
    if (frame) frame.text += text
  })
  parser.on('cdata', (text) => {
    const frame = open.at(-1)
    if (frame) frame.text += text
  })
  parser.on('closetag', () => {
    const frame = open.at(-1) as Frame
    const value = contentOf(frame)
    open.pop()
    const parent = open.at(-1)
    if (parent) addMember(parent, frame.name, value)
    else document = value
  })

  function memberSchema(parent: Frame, name: string): SchemaNode {
    if (!parent.members) return fail(`${path()} must hold text, not the element ${name}`)
    const properties = parent.schema.properties as Record<string, SchemaNode>
    const member = Object.hasOwn(properties, name) ? withoutNull(properties[name] as SchemaNode).schema : undefined
    if (!member) {
      const pointer = `${path() === '/' ? '' : path()}/${name}`
      throw new Malformed(`${pointer} is not a member that this operation knows.`, [{ pointer, message: 'is unknown' }])
    }
    return member.type === 'array' ? withoutNull(member.items as SchemaNode).schema : member
  }

  function addMember(parent: Frame, name: string, value: unknown): void {
    const members = parent.members as Record<string, unknown>
    const isList = withoutNull(parent.schema.properties?.[name] as SchemaNode).schema.type === 'array'
    const before = members[name]
    if (Array.isArray(before)) before.push(value)
    else if (isList) members[name] = [value]
    else if (name in members) fail(`${name} occurs twice in ${parent.name}`)
    else members[name] = value
  }

  function contentOf(frame: Frame): unknown {
    const blank = /^[ \t\r\n]*$/.test(frame.text)
    if (frame.nil) {
      if (!blank || (frame.members && Object.keys(frame.members).length > 0))
        fail(`${frame.name} is nil but has content`)
      return null
    }
    if (!frame.members) return frame.schema.type === 'string' ? frame.text : frame.text.trim()
    if (!blank) fail(`${frame.name} must hold elements, not text`)
    for (const name of frame.schema.required ?? []) {
      if (!(name in frame.members) && frame.schema.properties?.[name]?.type === 'array') frame.members[name] = []
    }
    return frame.members
  }

  parser.write(source).close()
  return document
}

function frameOf(name: string, schema: SchemaNode, nil: boolean): Frame {
  return { name, schema, members: schema.type === 'object' ? Object.create(null) : undefined, text: '', nil }
}

import { SaxesParser, type SaxesTagNS } from 'saxes'
import { Malformed } from '../fault.ts'
import { escapeToken } from './coerce.ts'
import { rootOf, type SchemaNode, withoutNull } from './schema.ts'

const deepest = 32
const mostElements = 20_000
// The parser's own repeat names whole.
const longestMessage = 300
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
 * which the schema's own reader converts later; elements may come in any order and any namespace; what a read-only one
 * holds is ignored; an item that is nil and alone makes an empty list. One strict pass: no DOCTYPE, no entities but the
 * five and numeric ones, one root of the schema's name.
 * @throws Malformed naming the place.
 */
export function readXml(source: string, schema: SchemaNode): unknown {
  const parser = new SaxesParser({ xmlns: true, position: true })
  // Null within a member that is ignored.
  const open: (Frame | null)[] = []
  let elements = 0
  const root = rootOf(schema)
  let document: unknown

  const place = () => `(line ${parser.line}, column ${parser.column})`
  const fail = (message: string): never => {
    throw new Malformed(`The XML body is not acceptable: ${message} ${place()}.`)
  }
  /** The fault for what stands where the JSON pointer leads. */
  const refuse = (pointer: string, message: string): never => {
    const text = `The XML body is not acceptable: ${pointer || root} ${message} ${place()}.`
    throw new Malformed(text, [{ pointer, message }])
  }

  parser.on('error', (error) => {
    const message = error.message.slice(0, longestMessage)
    throw new Malformed(`The XML body is not well-formed: ${message.replace(/^(\d+):(\d+): /, 'line $1, column $2: ')}`)
  })
  parser.on('doctype', () => fail('a DOCTYPE is not allowed'))
  parser.on('xmldecl', ({ encoding, version }) => {
    if (encoding && encoding.toLowerCase() !== 'utf-8') fail('the encoding must be UTF-8')
    if (version && version !== '1.0') fail('the XML version must be 1.0')
  })
  parser.on('opentag', (tag: SaxesTagNS) => {
    if (++elements > mostElements) fail(`more than ${mostElements} elements`)
    if (open.length >= deepest) fail(`elements nested deeper than ${deepest}`)
    const parent = open.at(-1)
    if (parent === undefined && tag.local !== root) fail(`the root element must be ${root}`)
    const attributes = Object.values(tag.attributes)
    const nil = attributes.some(
      ({ uri, local, value }) => uri === schemaInstance && local === 'nil' && /^\s*(true|1)\s*$/.test(value),
    )
    const member = parent === undefined ? schema : parent && memberSchema(parent, tag.local)
    open.push(member && frameOf(tag.local, member, nil))
    const unknown = member && attributes.find(({ uri }) => !uri)
    if (unknown) refuse(path(), `has an attribute ${escapeToken(unknown.name)}, which is unknown`)
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
    const frame = open.at(-1)
    const value = frame && contentOf(frame)
    open.pop()
    if (!frame) return
    const parent = open.at(-1)
    if (parent) addMember(parent, frame.name, value)
    else document = value
  })

  /** The JSON pointer to the innermost open element. */
  function path(): string {
    const steps = (open as Frame[]).slice(1).map(({ name }, at) => {
      const { schema, members } = open[at] as Frame
      return isList(schema, name) ? `/${name}/${(members?.[name] as unknown[] | undefined)?.length ?? 0}` : `/${name}`
    })
    return steps.join('')
  }

  /** Null for a member that is ignored. */
  function memberSchema(parent: Frame, name: string): SchemaNode | null {
    if (!parent.members) return refuse(path(), `must hold text, not the element ${escapeToken(name)}`)
    const properties = parent.schema.properties as Record<string, SchemaNode>
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!property) {
      const pointer = `${path()}/${escapeToken(name)}`
      const message = `${pointer} is not a member that this operation knows ${place()}.`
      throw new Malformed(message, [{ pointer, message: 'is unknown' }])
    }
    if (property.readOnly) return null
    const member = withoutNull(property).schema
    return member.type === 'array' ? withoutNull(member.items as SchemaNode).schema : member
  }

  function addMember(parent: Frame, name: string, value: unknown): void {
    const members = parent.members as Record<string, unknown>
    const before = members[name]
    if (Array.isArray(before)) {
      if (before.length === 0) refuse(`${path()}/${name}`, 'is nil, which is no item, but occurs twice')
      before.push(value)
    } else if (isList(parent.schema, name)) members[name] = value === null ? [] : [value]
    else if (name in members) refuse(`${path()}/${name}`, 'occurs twice')
    else members[name] = value
  }

  function contentOf(frame: Frame): unknown {
    const blank = /^[ \t\r\n]*$/.test(frame.text)
    if (frame.nil) {
      if (!blank || (frame.members && Object.keys(frame.members).length > 0)) refuse(path(), 'is nil but has content')
      return null
    }
    if (!frame.members) return frame.schema.type === 'string' ? frame.text : frame.text.trim()
    if (!blank) refuse(path(), 'must hold elements, not text')
    for (const name of frame.schema.required ?? []) {
      if (!(name in frame.members) && frame.schema.properties?.[name]?.type === 'array') frame.members[name] = []
    }
    return frame.members
  }

  parser.write(source).close()
  return document
}

function isList({ properties }: SchemaNode, member: string): boolean {
  return withoutNull(properties?.[member] as SchemaNode).schema.type === 'array'
}

function frameOf(name: string, schema: SchemaNode, nil: boolean): Frame {
  return { name, schema, members: schema.type === 'object' ? Object.create(null) : undefined, text: '', nil }
}

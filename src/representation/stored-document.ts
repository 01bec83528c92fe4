import { rootOf, type SchemaNode } from './schema.ts'
import { xmlWriter } from './xml-write.ts'

/** Another form of a stored document. */
export interface Form {
  /** Its members that are not wanted. */
  leftOut: readonly string[]
  /** The schema by which it is written as XML; as JSON where there is none. */
  xml: SchemaNode | undefined
}

const encoder = new TextEncoder()

/** The document of a text without some of its members. */
export function readDocument(text: string, leftOut: readonly string[]): object {
  const document = JSON.parse(text)
  if (leftOut.length === 0) return document
  return Object.fromEntries(Object.entries(document).filter(([member]) => !leftOut.includes(member)))
}

/** Writes another form of a document, in the thread. */
export function writeDocument(text: string, { leftOut, xml }: Form): Uint8Array<ArrayBuffer> {
  const document = readDocument(text, leftOut)
  return encoder.encode(xml ? xmlWriter(rootOf(xml) as string, xml)(document) : JSON.stringify(document))
}

import { type TOptional, type TSchema, type TString, Type } from 'typebox'
import { Set as setFormat } from 'typebox/format'
import { isLanguageTag } from './language-tag.ts'

const xmlCharacters = String.raw`\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}`
const onlyXml = new RegExp(`^[${xmlCharacters}]*$`, 'u')
const notXml = new RegExp(`[^${xmlCharacters}]`, 'gu')

/** Whether JSON, XML and PostgreSQL can all carry it. */
export function isText(text: string): boolean {
  return onlyXml.test(text)
}

/** The same with U+FFFD for each character that XML cannot carry. */
export function asText(text: string): string {
  return text.replace(notXml, '\ufffd')
}

function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s\\/?#][^\s\\]*$/i.test(text) || !isText(text)) return false
  try {
    // Not URL.canParse: in Node 20 it refuses é, ü and the like once it is called often enough to be optimised.
    const url = new URL(text)
    return url.username === '' && url.password === ''
  } catch {
    return false
  }
}

const formats: Record<string, { check: (text: string) => boolean; expected: string }> = {
  text: { check: isText, expected: 'must hold only characters that XML can carry' },
  'http-url': {
    check: isHttpUrl,
    expected: 'must be an http or https URL without user name and password',
  },
  'language-tag': { check: isLanguageTag, expected: 'must be a language tag (BCP 47), such as de-AT' },
}

for (const [name, { check }] of Object.entries(formats)) setFormat(name, check)

/** What a value of the format must be, as the end of a sentence. */
export function expectedFormat(name: string): string {
  return formats[name]?.expected ?? `must be of the format ${name}`
}

/** A string that JSON, XML and PostgreSQL can all carry; lengths in characters. */
export function Text(maxLength: number, minLength = 0): TString {
  return Type.String({ format: 'text', maxLength, ...(minLength && { minLength }) })
}

/** An http or https address; it is stored, never fetched. */
export function HttpUrl(): TString {
  return Type.String({ format: 'http-url', maxLength: 2048 })
}

/** Gives a description to a schema that nobody else holds: it is changed in place. */
export function about<T extends TSchema>(description: string, schema: T): T {
  return Object.assign(schema, { description })
}

/** A member that answers carry and requests may repeat: accepted there, and ignored. */
export function readOnly<T extends TSchema>(schema: T): TOptional<T> {
  return Type.Optional({ ...schema, readOnly: true }) as unknown as TOptional<T>
}

import type { Described } from './described.ts'
import { openapi3 } from './openapi3.ts'
import { parse } from './parse.ts'
import { isObject, memberText, type Place } from './place.ts'
import { type Resolve, references } from './references.ts'
import { swagger1 } from './swagger1.ts'
import { swagger2 } from './swagger2.ts'
import { textOf } from './text.ts'
import { shown } from './texts.ts'
import { Unreadable } from './unreadable.ts'
import { versionOf } from './version.ts'

/** What a file holds. */
export interface ReadFile {
  mediaType: string
  /** Such as `OpenAPI 3.1`. */
  descriptorType: string
  serviceName: string
  /** The version that it describes, as JSON text of a request's APIVersion. */
  version: string
}

type Read = (root: Place, resolve: Resolve) => Described

/** By the member that names the format, and what it may say; YAML without quotes makes 2.0 of "2.0" in some tools. */
const formats: { key: string; says: RegExp; type: string; read: Read }[] = [
  { key: 'openapi', says: /^3\.0(\.|$)/, type: 'OpenAPI 3.0', read: openapi3 },
  { key: 'openapi', says: /^3\.1(\.|$)/, type: 'OpenAPI 3.1', read: openapi3 },
  { key: 'swagger', says: /^2(\.0)?$/, type: 'Swagger 2.0', read: swagger2 },
  { key: 'swaggerVersion', says: /^1\.2$/, type: 'Swagger 1.2', read: swagger1 },
  { key: 'swaggerVersion', says: /^1\.1$/, type: 'Swagger 1.1', read: swagger1 },
]
const known = 'OpenAPI 3.1 and 3.0, Swagger 2.0, 1.2 and 1.1'

/**
 * Reads an API description of any known format, in JSON or YAML.
 * @throws Unreadable
 */
export function readFile(bytes: Uint8Array, fileName: string): ReadFile {
  const { value, mediaType } = parse(textOf(bytes))
  if (!isObject(value)) throw new Unreadable(`it is no API description; read are ${known}`)
  const root = { value, pointer: '' }
  const format = formats.find(({ key, says }) => says.test(memberText(root, key) ?? ''))
  if (!format) {
    const key = formats.find((each) => memberText(root, each.key) !== undefined)?.key
    throw key
      ? new Unreadable(`is none that is read; these are ${known}`, `/${key}`)
      : new Unreadable(`it is no API description; read are ${known}`)
  }
  const described = format.read(root, references(value))
  return {
    mediaType,
    descriptorType: format.type,
    serviceName: shown(described.name.trim() || fileName.replace(/\.[^.]*$/, '').trim() || fileName, 255),
    version: JSON.stringify(versionOf(described)),
  }
}

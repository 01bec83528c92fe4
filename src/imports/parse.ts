import { FAILSAFE_SCHEMA, load, mergeTag, nullCoreTag, YAMLException } from 'js-yaml'
import { Unreadable } from './unreadable.ts'

// Every scalar stays the text that it is: `version: 1.0` is "1.0", and no tag makes anything but text, lists and maps.
const schema = FAILSAFE_SCHEMA.withTags(nullCoreTag, mergeTag)
const yamlOptions = { schema, maxDepth: 500, maxAliases: 100_000, maxTotalMergeKeys: 100_000 }

export interface Parsed {
  value: unknown
  mediaType: 'application/json' | 'application/yaml'
}

/**
 * Reads JSON, or else YAML. Aliases are not copied, so the value may hold one thing in many places, or in itself.
 * @throws Unreadable with line and column.
 */
export function parse(text: string): Parsed {
  const json = parseJson(text)
  return json ? { ...json, mediaType: 'application/json' } : { value: parseYaml(text), mediaType: 'application/yaml' }
}

/** What is broken as JSON may be YAML; if not, that reader knows the place, and JSON.parse does not always. */
function parseJson(text: string): { value: unknown } | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function parseYaml(text: string): unknown {
  try {
    return load(text, yamlOptions)
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const { mark, reason } = error
    const line = mark ? mark.line + 1 : lineOfSecondDocument(text)
    const place = line === undefined ? '' : ` (line ${line}, column ${(mark?.column ?? 0) + 1})`
    throw new Unreadable(`it is neither well-formed JSON nor YAML: ${reason}${place}`)
  }
}

/** Where a document begins behind the first one; the reader does not say it. */
function lineOfSecondDocument(text: string): number | undefined {
  let hasFirst = false
  let hasEnded = false
  for (const [at, line] of text.split(/\r\n?|\n/).entries()) {
    const isMarker = /^---(\s|$)/.test(line)
    const isContent = isMarker || !/^\s*$|^\s*#|^%|^\.\.\.(\s|$)/.test(line)
    if (hasFirst && (isMarker || (hasEnded && isContent))) return at + 1
    hasFirst ||= isContent
    hasEnded ||= hasFirst && /^\.\.\.(\s|$)/.test(line)
  }
  return undefined
}

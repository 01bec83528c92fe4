/** Where a request carries an input. */
export type InputPlace = 'path' | 'query' | 'header' | 'cookie' | 'body' | 'form'

const places = new Map<string, InputPlace>([
  ['path', 'path'],
  ['query', 'query'],
  ['header', 'header'],
  ['cookie', 'cookie'],
  ['body', 'body'],
  ['form', 'form'],
  ['formdata', 'form'],
])

/** The place that the Type of an input names, in any case and under the word of any description format. */
export function inputPlace(type: string): InputPlace | undefined {
  return places.get(type.trim().toLowerCase())
}

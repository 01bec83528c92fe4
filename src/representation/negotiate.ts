import { type MediaType, parameterValue } from './media-types.ts'

interface Range {
  q: number
  /** Place in the header, from 0. */
  order: number
}

/** The ranges of a header by their names; of one that comes again the highest q counts. */
function rangesOf(accept: string): Map<string, Range> {
  const ranges = new Map<string, Range>()
  for (const [order, text] of accept.split(',').entries()) {
    const [name = '', ...parameters] = text.split(';')
    const q = weightOf(parameters)
    const range = name.trim().toLowerCase()
    if (q > (ranges.get(range)?.q ?? -1)) ranges.set(range, { q, order })
  }
  return ranges
}

/** The q among parameters, which else do not narrow a range: clients send `application/json; charset=utf-8`. -1 for a wrong one. */
function weightOf(parameters: readonly string[]): number {
  const weight = parameters.map((parameter) => parameterValue(parameter, 'q')).find(Boolean)
  const q = weight === undefined ? 1 : Number(weight)
  return q >= 0 && q <= 1 ? q : -1
}

/**
 * Chooses the representation of an answer: the highest q, then the most specific range, then the first listed, then the
 * first offered (RFC 9110, 12.5.1). No Accept is any. Undefined when none of the offered can be served.
 */
export function negotiate(accept: string | undefined, offered: readonly MediaType[]): MediaType | undefined {
  if (accept === undefined || accept.trim() === '') return offered[0]
  const ranges = rangesOf(accept)
  let best: { mediaType: MediaType; range: Range; breadth: number } | undefined
  for (const mediaType of offered) {
    const names = [mediaType.name, mediaType.name.replace(/\/.*/, '/*'), '*/*']
    const breadth = names.findIndex((name) => ranges.has(name))
    const range = breadth < 0 ? undefined : ranges.get(names[breadth] as string)
    if (!range || range.q === 0) continue
    if (!best || isBetter({ range, breadth }, best)) best = { mediaType, range, breadth }
  }
  return best?.mediaType
}

type Match = { range: Range; breadth: number }

function isBetter(a: Match, b: Match): boolean {
  if (a.range.q !== b.range.q) return a.range.q > b.range.q
  if (a.breadth !== b.breadth) return a.breadth < b.breadth
  return a.range.order < b.range.order
}

import type { MediaType } from './media-types.ts'

interface Range {
  type: string
  subtype: string
  q: number
  /** Place in the header, from 0. */
  order: number
}

/** The parameters of a range do not narrow it, but q does: clients send `application/json; charset=utf-8` in Accept. */
function parseRange(text: string, order: number): Range | undefined {
  const [name = '', ...parameters] = text.split(';')
  const [type, subtype, ...more] = name.trim().toLowerCase().split('/')
  if (!type || !subtype || more.length > 0) return undefined
  const weight = parameters.map((parameter) => /^\s*q\s*=\s*(\S*)\s*$/i.exec(parameter)?.[1]).find(Boolean)
  const q = weight === undefined ? 1 : Number(weight)
  return q >= 0 && q <= 1 ? { type, subtype, q, order } : undefined
}

/** How narrowly a range names a media type: 3 exactly, 2 by type, 1 by any; 0 not at all. */
function specificity(range: Range, mediaType: string): number {
  const [type, subtype] = mediaType.split('/')
  if (range.type === '*') return range.subtype === '*' ? 1 : 0
  if (range.type !== type) return 0
  if (range.subtype === '*') return 2
  return range.subtype === subtype ? 3 : 0
}

/**
 * Chooses the representation of an answer: the highest q, then the most specific range, then the first listed, then the
 * first offered (RFC 9110, 12.5.1). No Accept is any. Undefined when none of the offered can be served.
 */
export function negotiate(accept: string | undefined, offered: readonly MediaType[]): MediaType | undefined {
  if (accept === undefined || accept.trim() === '') return offered[0]
  const ranges = accept.split(',').flatMap((text, order) => parseRange(text, order) ?? [])
  let best: { mediaType: MediaType; range: Range; narrow: number } | undefined
  for (const mediaType of offered) {
    const match = ranges
      .map((range) => ({ range, narrow: specificity(range, mediaType.name) }))
      .filter(({ narrow }) => narrow > 0)
      .reduce<{ range: Range; narrow: number } | undefined>((a, b) => (a && a.narrow >= b.narrow ? a : b), undefined)
    if (!match || match.range.q === 0) continue
    if (!best || isBetter(match, best)) best = { mediaType, ...match }
  }
  return best?.mediaType
}

function isBetter(a: { range: Range; narrow: number }, b: { range: Range; narrow: number }): boolean {
  if (a.range.q !== b.range.q) return a.range.q > b.range.q
  if (a.narrow !== b.narrow) return a.narrow > b.narrow
  return a.range.order < b.range.order
}

import { partQuery, wordQuery, wordsLookedFor } from '../lists/lexemes.ts'
import { invalidParameter } from '../lists/parameters.ts'

const mostWords = 16

/** What is looked for, as tsqueries. Each word is the beginning of a word; in an API's name also of a part of one. */
export interface Sought {
  /** The text as it was given, for a name that is just that. */
  exact: string
  /** All words in the API's name. */
  inName: string
  /** All words in what is said of the API. */
  inApi: string
  /** All words in what is said of a version or its API. */
  inVersion: string
}

/**
 * Reads what somebody looks for; undefined when there is no word in it.
 * @throws Malformed for too many words.
 */
export function readSought(text: string): Sought | undefined {
  const words = wordsLookedFor(text)
  if (words.length > mostWords) throw invalidParameter('q', `must have ${mostWords} words at most`)
  if (words.length === 0) return undefined
  const all = (query: (word: string) => string) => words.map((word) => `(${query(word)})`).join(' & ')
  return {
    exact: text.trim(),
    inName: all(partQuery),
    inApi: all((word) => `${partQuery(word)} | ${wordQuery(word)}`),
    inVersion: all(wordQuery),
  }
}

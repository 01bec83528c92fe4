// What search finds stands in a tsvector that the service writes itself, so that it is the same in every database and
// locale. Words have no mark, parts of an API's name and whole tags have one that no word begins with.
const partMark = '='
const tagMark = '#'

const longestWord = 60
const longestTag = 200
const shortestPart = 2

const wordForm = /[\p{L}\p{N}]+/gu
const humpForm = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
const ascii = /^[\0-\x7f]*$/

/** The words of a text, without case and accents. A word such as listPets is also list and pets. */
function wordsIn(text: string): string[] {
  const words = new Set<string>()
  for (const word of plain(text).match(wordForm) ?? []) {
    const lower = word.toLowerCase()
    words.add(cut(lower))
    if (lower !== word) for (const part of word.split(humpForm)) words.add(cut(part.toLowerCase()))
  }
  return [...words]
}

/** The words of several texts, in their order and without repetition, until together they have so many characters. */
export function wordsOf(texts: readonly (string | null | undefined)[], mostCharacters: number): string[] {
  const words = new Set<string>()
  let room = mostCharacters
  for (const text of texts) {
    for (const word of text ? wordsIn(text.slice(0, room)) : []) {
      if (words.has(word)) continue
      room -= word.length
      if (room < 0) return [...words]
      words.add(word)
    }
  }
  return [...words]
}

/** The words of a name and their ends: "store" begins an end of "petstore". */
export function partsOf(name: string): string[] {
  return wordsIn(name).flatMap((word) => {
    const characters = [...word]
    const ends = Math.max(1, characters.length - shortestPart + 1)
    return Array.from({ length: ends }, (_, start) => partMark + characters.slice(start).join(''))
  })
}

/** One lexeme for a whole tag, whatever is in it. */
export function tagLexeme(tag: string): string {
  return tagMark + [...tag.toLowerCase()].slice(0, longestTag).join('')
}

/** A tsvector of lexemes as text; with the weight A where these can be told from others beside them. */
export function vectorText(lexemes: readonly string[], weight = ''): string {
  return lexemes.map((lexeme) => `${quoted(lexeme)}:1${weight}`).join(' ')
}

/** The words that somebody looks for: as they were typed, so listPets is one. */
export function wordsLookedFor(text: string): string[] {
  return [...new Set((plain(text).match(wordForm) ?? []).map((word) => cut(word.toLowerCase())))]
}

/** A tsquery for what begins with a word that was looked for, or is that word if it is short. */
export function wordQuery(word: string): string {
  return quoted(word) + (word.length >= shortestPart ? ':*' : '')
}

/** A tsquery for a name with a word or part of a word that begins like that. */
export function partQuery(word: string): string {
  return wordQuery(partMark + word)
}

export function tagQuery(tag: string): string {
  return quoted(tagLexeme(tag))
}

function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

// Compatible forms fold as well: full-width letters, ligatures.
function plain(text: string): string {
  return ascii.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')
}

function cut(word: string): string {
  return word.length > longestWord ? [...word].slice(0, longestWord).join('') : word
}

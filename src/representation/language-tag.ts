// The grammar of RFC 5646, section 2.1.
const language = '(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})'
const script = '(?:-[a-z]{4})?'
const region = '(?:-(?:[a-z]{2}|[0-9]{3}))?'
const variants = '((?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)'
const extensions = '((?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*)'
const privateUse = '(?:-x(?:-[a-z0-9]{1,8})+)?'
const regular = new RegExp(`^${language}${script}${region}${variants}${extensions}${privateUse}$`, 'i')
const privateTag = /^x(?:-[a-z0-9]{1,8})+$/i
// Registered before the grammar was; the others of their kind fit it.
const irregular =
  /^(?:en-gb-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:be-fr|be-nl|ch-de))$/i

/** Whether a text is a language tag (BCP 47); a variant or a kind of extension may occur once. */
export function isLanguageTag(text: string): boolean {
  const [, variant, extension] = regular.exec(text) ?? []
  if (variant === undefined || extension === undefined) return privateTag.test(text) || irregular.test(text)
  const kinds = extension.split('-').filter(({ length }) => length === 1)
  return allDiffer(variant.split('-').slice(1)) && allDiffer(kinds)
}

function allDiffer(words: string[]): boolean {
  return new Set(words.map((word) => word.toLowerCase())).size === words.length
}

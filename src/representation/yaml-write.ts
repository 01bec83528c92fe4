// What neither YAML 1.1 nor 1.2 reads as anything but this text.
const plain = /^[A-Za-z/][\w./{}+*-]*(?: [\w./{}+*-]+)*$/
const words = /^(?:y|n|yes|no|on|off|true|false|null)$/i
// A line break to a reader of YAML 1.1, or not printable.
const unreadable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g
// A key on a line of its own may have 1024 characters.
const longestKey = 1000

/** Writes JSON data as YAML, one member or item a line; readers of YAML 1.1 and 1.2 get the same values. */
export function writeYaml(value: unknown): string {
  return isBlock(value) ? block(value, '') : `${scalar(value)}\n`
}

function isBlock(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function block(value: object, indent: string): string {
  const inner = `${indent}  `
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) {
      text += `${indent}- ${isBlock(item) ? block(item, inner).slice(inner.length) : `${scalar(item)}\n`}`
    }
    return text
  }
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    const key = scalar(name)
    text += key.length > longestKey ? `${indent}? ${key}\n${indent}:` : `${indent}${key}:`
    text += isBlock(member) ? `\n${block(member, inner)}` : ` ${scalar(member)}\n`
  }
  return text
}

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  if (plain.test(value) && !words.test(value)) return value
  return JSON.stringify(value).replace(unreadable, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

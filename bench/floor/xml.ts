/** The elements of a version that may repeat. */
export const repeated = new Set(['Tag', 'Operation', 'Input', 'Endpoint', 'ConnectionProperties', 'Policy'])

function escapeText(text: string): string {
  return /[&<>]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text
}

function element(name: string, value: unknown): string {
  if (typeof value === 'string') return `<${name}>${escapeText(value)}</${name}>`
  if (typeof value !== 'object' || value === null) return `<${name}>${value}</${name}>`
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) text += element(name, item)
    return text
  }
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key]
    if (member !== undefined) text += element(key, member)
  }
  return `<${name}>${text}</${name}>`
}

/** Writes an object as XML, its members in their order. */
export function xmlOf(name: string, value: object): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${element(name, value)}`
}

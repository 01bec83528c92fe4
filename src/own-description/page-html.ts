import { escapeHtml } from '../html.ts'

export function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`
}

/** Blank lines part paragraphs; backquotes mark code. */
export function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('\n')
}

export function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>')
}

/** The name of a place on the page. */
export function idOf(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, '-')
}

/** A list of terms with what they mean; nothing when it is empty. */
export function terms(title: string, items: readonly (readonly [term: string, meaning: string])[]): string {
  if (items.length === 0) return ''
  return `<h4>${title}</h4>\n<dl>${items.map(([term, meaning]) => `<dt>${term}</dt><dd>${meaning}</dd>`).join('')}</dl>`
}

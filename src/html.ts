import { createHash } from 'node:crypto'

/** Text as HTML, also within an attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** How a Content-Security-Policy names a style sheet or script that stands in a page. */
export function contentDigest(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
